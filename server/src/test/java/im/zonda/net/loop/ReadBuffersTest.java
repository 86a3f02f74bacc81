package im.zonda.net.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.RecvByteBufAllocator;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

@SuppressWarnings("deprecation") // of a handle's type
class ReadBuffersTest {
  private final ReadBuffers buffers = new ReadBuffers();

  @Test
  void connectionsOfOneLoopShareAHandle() throws Exception {
    try (ExecutorService loop = Executors.newSingleThreadExecutor();
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      Callable<RecvByteBufAllocator.Handle> connection = buffers::newHandle;
      RecvByteBufAllocator.Handle handle = loop.submit(connection).get();

      assertThat(loop.submit(connection).get()).isSameAs(handle);
      assertThat(other.submit(connection).get()).isNotSameAs(handle);
    }
  }

  @Test
  void aLargeReadOfOneConnectionDoesNotChangeTheBuffersOfOthers() {
    RecvByteBufAllocator.Handle handle = buffers.newHandle();
    int size = handle.guess();

    for (int i = 0; i < 100; i++) {
      handle.attemptedBytesRead(size);
      handle.lastBytesRead(size);
      handle.readComplete();
    }

    assertThat(handle.guess()).isEqualTo(size);
  }
}
