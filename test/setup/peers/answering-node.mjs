// A ROS 2 node in Node that answers one service and one action of halo_interfaces with fixed,
// telling values.
// Prints "ready" when it can be called. Ends on SIGTERM.
import rclnodejs from 'rclnodejs';

/** A message as plain values, each field at its default. */
function blank(type) {
  const message = {};
  for (const { name, type: field } of rclnodejs.require(type).ROSMessageDef.fields) {
    const zero = () => {
      if (field.type === 'string') return '';
      if (field.type === 'bool') return false;
      if (/^u?int64$/.test(field.type)) return 0n;
      return field.isPrimitiveType ? 0 : blank(`${field.pkgName}/msg/${field.type}`);
    };
    if (field.isFixedSizeArray) message[name] = Array.from({ length: field.arraySize }, zero);
    else message[name] = field.isArray ? [] : zero();
  }
  return message;
}

const msg = (name, fields) => ({ ...blank(`halo_interfaces/msg/${name}`), ...fields });

await rclnodejs.init();
rclnodejs.removeSignalHandlers();
const node = rclnodejs.createNode('answering_node');

node.createService('halo_interfaces/srv/SubmitResponse', 'submit', (request, response) => {
  const finding = msg('Finding', { code: 'EVIDENCE_STALE', age_ms: 812.5 });
  const component = msg('ComponentVerdict', {
    id: 'up',
    findings: [finding],
    withheld_because: ['arm', 'fuel'],
  });
  const { id } = JSON.parse(request.response_json);
  response.send({
    accepted: true,
    verdict: msg('Verdict', { response_id: id, generation: 7, components: [component] }),
    findings: [],
  });
});

const ExecuteResponse = 'halo_interfaces/action/ExecuteResponse';
const { Feedback, Result } = rclnodejs.require(ExecuteResponse);
new rclnodejs.ActionServer(node, ExecuteResponse, 'execute', async (goal) => {
  // Read at once: the memory behind a request does not outlast the first await.
  const asked = goal.request.response_json;
  const vehicle = msg('VehicleState', { position_enu_m: [1.5, -2.5, 6] });
  vehicle.epochs.estimator = 3;
  const feedback = new Feedback({ component: msg('ComponentProgress', { id: 'leg1' }), vehicle });
  // Feedback is not kept for who has not been discovered yet: say it for a second.
  for (let i = 0; i < 10; i += 1) {
    goal.publishFeedback(feedback);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  goal.succeed();
  return new Result({
    outcome: 'completed',
    verdict: msg('Verdict', {}),
    components: [],
    obligations: [],
    task: msg('TaskState', {}),
    summary_json: asked,
  });
});

rclnodejs.spin(node);
console.log('ready');
process.on('SIGTERM', () => {
  rclnodejs.shutdown();
  process.exit(0);
});
