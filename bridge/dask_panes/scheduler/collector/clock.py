"""The clock that measures how much work costs the scheduler."""

from __future__ import annotations

from time import get_clock_info, perf_counter, thread_time

#: CPU seconds used by this thread. Wall time is different: in a kernel whose main thread computes, most of it is
#: waiting for the GIL, and reads that look expensive would be limited to one per second. Where the system counts CPU
#: time in steps of milliseconds (Windows), wall time is more accurate.
cpu_time = thread_time if get_clock_info("thread_time").resolution < 1e-5 else perf_counter
