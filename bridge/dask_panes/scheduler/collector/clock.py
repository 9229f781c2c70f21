"""The clock that says what a piece of work costs the scheduler."""

from __future__ import annotations

from time import get_clock_info, perf_counter, thread_time

#: Seconds of CPU that this thread has used. The time by the clock is not that: in a kernel whose main thread computes,
#: most of it are waits for the GIL, and what looks dear would be read once a second. Where the system counts CPU time
#: in steps of milliseconds (Windows), the clock is the better of the two.
cpu_time = thread_time if get_clock_info("thread_time").resolution < 1e-5 else perf_counter
