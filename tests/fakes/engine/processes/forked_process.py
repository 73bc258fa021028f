"""A program from the fork server as an asyncio subprocess: streams, signals and an exit code to await."""

import asyncio
import asyncio.subprocess

from fakes.engine.processes.fork_server import Born

READ_BYTES = 1 << 16


class BornProcess(asyncio.subprocess.Process):
    """What `asyncio.create_subprocess_exec` returns, with standard error not captured."""

    def __init__(self, born: Born, stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader) -> None:
        self._born = born
        self.pid = born.pid
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = None

    @classmethod
    async def of(cls, born: Born) -> "BornProcess":
        """Connects the streams of a started program."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(READ_BYTES, loop)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader, loop=loop), born.stdout)
        transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, born.stdin)
        return cls(born, asyncio.StreamWriter(transport, protocol, None, loop), reader)

    @property
    def returncode(self) -> int | None:
        """The exit code, None while it runs."""
        return self._born.poll()

    async def wait(self) -> int:
        loop = asyncio.get_running_loop()
        while self._born.poll() is None:
            ended, fd = asyncio.Event(), self._born.told_fd()
            loop.add_reader(fd, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(fd)
        self.stdin.close()
        return self._born.wait()

    def kill(self) -> None:
        """Sends SIGKILL."""
        self._born.kill()

    def terminate(self) -> None:
        """Sends SIGTERM."""
        self._born.terminate()
