"""Results of asynchronous work, handed over one by one to a caller that is not asynchronous.

Conventions: the work runs in a thread of its own with its own event loop, so the caller may use a
database between two results. A worker goes on only when the caller has come back for more; so at
most as many results are on the way as there are workers.
"""

import asyncio
import queue
from collections.abc import Awaitable, Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
Deliver = Callable[[T], Awaitable[None]]

# How often the caller is asked whether to go on while nothing arrives, seconds.
PULSE = 1.0


@dataclass(frozen=True, slots=True)
class _Parcel(Generic[T]):
    """A result, and the bell to ring when the caller is done with it."""

    content: T
    taken: asyncio.Event


def arriving(
    work: Callable[[Deliver[T]], Coroutine[None, None, None]], *, goes_on: Callable[[], bool]
) -> Generator[T, None, None]:
    """Do asynchronous work in a thread, and yield here what it delivers.

    When the caller stops (by ``goes_on``, an exception, or closing the generator) the work is
    cancelled; after ``goes_on`` what had already been delivered is still yielded.

    Args:
        work: gets a function that hands a result over and waits until the caller is done with it.
        goes_on: asked between results, and once a second while none comes.

    Raises:
        ScoringError: or whatever else the work raises, after what it had delivered.
    """
    box: queue.SimpleQueue[_Parcel[T] | None] = queue.SimpleQueue()
    loop = asyncio.new_event_loop()

    async def deliver(content: T) -> None:
        parcel = _Parcel(content, asyncio.Event())
        box.put(parcel)
        await parcel.taken.wait()

    task = loop.create_task(work(deliver))
    task.add_done_callback(lambda _: box.put(None))
    try:
        with ThreadPoolExecutor(1, "arriving") as thread:
            done = thread.submit(loop.run_until_complete, task)
            try:
                while (parcel := _next(box, loop, task, goes_on)) is not None:
                    yield parcel.content
                    loop.call_soon_threadsafe(parcel.taken.set)
                with suppress(asyncio.CancelledError):
                    done.result()
            finally:
                loop.call_soon_threadsafe(task.cancel)
    finally:
        loop.close()


def _next(
    box: "queue.SimpleQueue[_Parcel[T] | None]",
    loop: asyncio.AbstractEventLoop,
    task: "asyncio.Task[None]",
    goes_on: Callable[[], bool],
) -> _Parcel[T] | None:
    """Wait for the next parcel; ``None`` when the work has ended."""
    while True:
        # Cancelled twice, the work might not get to close its connections.
        if not task.cancelling() and not goes_on():
            loop.call_soon_threadsafe(task.cancel)
        with suppress(queue.Empty):
            return box.get(timeout=PULSE)
