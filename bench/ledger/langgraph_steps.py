"""Times steps of a LangGraph graph whose checkpoints go to SQLite.

In: a folder as argument; on standard input a count of steps a line. Out: one JSON list a line,
microseconds of each step. A step is one turn of a one-node graph, from the node's return to its
next call: the checkpoint is in between. Settings are those of the packages as they come.
"""

import json
import os
import sqlite3
import sys
import time
from typing import TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    left: int
    receipt: dict


RECEIPT = {"id": "rc-1-1", "kind": "flight.goto", "observed": {"position": [10.0, 0.0, 6.0]}}
began: list[int] = []


def step(state: State) -> State:
    began.append(time.perf_counter_ns())
    return {"left": state["left"] - 1, "receipt": RECEIPT}


graph = StateGraph(State)
graph.add_node("step", step)
graph.add_edge(START, "step")
graph.add_conditional_edges("step", lambda state: "step" if state["left"] > 0 else END)
connection = sqlite3.connect(os.path.join(sys.argv[1], "langgraph.db"), check_same_thread=False)
app = graph.compile(checkpointer=SqliteSaver(connection))

for thread, line in enumerate(sys.stdin):
    count = int(line)
    began.clear()
    config = {"configurable": {"thread_id": str(thread)}, "recursion_limit": count + 10}
    app.invoke({"left": count + 1, "receipt": {}}, config, durability="sync")
    print(json.dumps([(b - a) / 1000 for a, b in zip(began, began[1:])]), flush=True)
