package im.zonda.app.crash;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.CountDownLatch;

/// A process that uses up its heap on one kind of thread, and goes on whatever is thrown there.
final class HungryProcess {
  private HungryProcess() {}

  /// Ends with 0 if the thread has survived.
  ///
  /// @param args `loop` or `virtual`
  public static void main(String[] args) throws InterruptedException {
    CountDownLatch survived = new CountDownLatch(1);
    Runnable hungry =
        () -> {
          Object[] kept = {};
          try {
            while (true) {
              kept = new Object[] {kept, new byte[1_000_000]};
            }
          } catch (OutOfMemoryError e) {
            survived.countDown();
          }
        };
    if (args[0].equals("loop")) {
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()).next().execute(hungry);
    } else {
      Thread.ofVirtual().start(hungry);
    }
    survived.await();
    System.exit(0);
  }
}
