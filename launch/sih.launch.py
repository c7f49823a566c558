"""Starts PX4 with its own simulation (no Gazebo) and the bridge, on a machine with a full ROS 2.

    ros2 launch halo_bridge sih.launch.py px4_dir:=$HOME/PX4-Autopilot/build/px4_sitl_default \
        contract:=contract.yaml ledger_dir:=ledger

PX4 is yours: a build folder with bin/px4 and etc. When PX4 ends, everything ends.
"""

import os
from pathlib import Path

from launch import LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    ExecuteProcess,
    IncludeLaunchDescription,
    OpaqueFunction,
    Shutdown,
)
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration

BRIDGE = Path(__file__).resolve().parent / "bridge.launch.py"


def start_px4(context):
    """PX4 in a folder of its own, where it keeps its parameters; or why it cannot be started."""
    given = LaunchConfiguration("px4_dir").perform(context)
    px4_dir = Path(given).expanduser().resolve()
    binary, etc = px4_dir / "bin" / "px4", px4_dir / "etc"
    if not given:
        raise RuntimeError("Name PX4's build folder: px4_dir:=.../build/px4_sitl_default")
    if not os.access(binary, os.X_OK) or not etc.is_dir():
        raise RuntimeError(f"{px4_dir} has no bin/px4 and etc; build PX4 with: make px4_sitl")
    run_dir = Path(LaunchConfiguration("px4_run_dir").perform(context)).expanduser().resolve()
    run_dir.mkdir(parents=True, exist_ok=True)
    return [
        ExecuteProcess(
            cmd=[str(binary), "-i", "0", "-d", str(etc)],
            cwd=str(run_dir),
            additional_env={
                "PX4_SIMULATOR": "sihsim",
                "PX4_SIM_MODEL": "sihsim_quadx",
                # The quadrotor of PX4's simulation in hardware.
                "PX4_SYS_AUTOSTART": "10040",
            },
            name="px4",
            output="screen",
            on_exit=[Shutdown(reason="PX4 has ended")],
        )
    ]


def generate_launch_description():
    """What `ros2 launch` runs; `--show-args` lists the arguments, those of the bridge included."""
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                "px4_dir", default_value="", description="PX4's build folder, with bin/px4 and etc"
            ),
            DeclareLaunchArgument(
                "px4_run_dir",
                default_value="px4-run",
                description="Folder where PX4 keeps its parameters; made when it is not there",
            ),
            OpaqueFunction(function=start_px4),
            IncludeLaunchDescription(PythonLaunchDescriptionSource(str(BRIDGE))),
        ]
    )
