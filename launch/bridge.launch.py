"""Starts the bridge on a machine with a full ROS 2.

    ros2 launch halo_bridge bridge.launch.py contract:=contract.yaml ledger_dir:=ledger

The bridge configures and activates itself; set autostart to false in the parameter file to leave
that to a lifecycle manager.
"""

import shlex
from pathlib import Path

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

PARAMS_FILE = Path(__file__).resolve().parent / "params" / "bridge.yaml"

# Launch argument, node parameter, help. Empty: as the parameter file says.
OVERRIDES = [
    ("contract", "contract_path", "Task contract, a YAML file"),
    ("catalog", "catalog_path", "Catalog of component kinds, a YAML file"),
    ("evidence_map", "evidence_map_path", "Which ROS topics are evidence, a YAML file"),
    ("connection_url", "connection_url", "Where the vehicle is, e.g. udpin://0.0.0.0:14540"),
    ("ledger_dir", "ledger_dir", "Folder of the ledger"),
]


def start(context):
    """Makes the node once the arguments have their values."""

    def value(name):
        return LaunchConfiguration(name).perform(context)

    given = {parameter: value(name) for name, parameter, _ in OVERRIDES if value(name)}
    command = shlex.split(value("bridge_command"))
    where = (
        {"executable": command[0], "arguments": command[1:]}
        if command
        else {"package": "halo_bridge", "executable": "halo_bridge"}
    )
    return [
        Node(
            **where,
            name="halo_bridge",
            namespace=value("namespace"),
            parameters=[value("params_file"), given] if given else [value("params_file")],
            output="screen",
            # The bridge holds the vehicle and closes its ledger first; that takes up to 10 s.
            sigterm_timeout="15",
        )
    ]


def generate_launch_description():
    """What `ros2 launch` runs; `--show-args` lists the arguments."""
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                "params_file", default_value=str(PARAMS_FILE), description="Parameters of the node"
            ),
            DeclareLaunchArgument(
                "namespace", default_value="", description="Namespace of the node, e.g. uav1"
            ),
            DeclareLaunchArgument(
                "bridge_command",
                default_value="",
                description="Command that starts the bridge, e.g. 'node dist/src/cli/main.js bridge'; "
                "empty: lib/halo_bridge/halo_bridge of the ament prefix",
            ),
            *[
                DeclareLaunchArgument(name, default_value="", description=help_text)
                for name, _, help_text in OVERRIDES
            ],
            OpaqueFunction(function=start),
        ]
    )
