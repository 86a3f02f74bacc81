package im.zonda.app.abuse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/// One run of an [Abuse]: the server, the size of the abuse and the connections it has opened.
final class AbuseRun implements AutoCloseable {
  private static final int AT_ONCE = 64;
  private static final boolean ALL = Boolean.getBoolean("zonda.test.all");

  // All accounts have the same keys.
  private static final Map<String, byte[]> KEYS = new ConcurrentHashMap<>();

  private final SmallServer server;
  private final InetAddress source;
  private final boolean full;
  private final Collection<Abuser> open = new ConcurrentLinkedQueue<>();
  private final LongAdder done = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private volatile String reason = "";

  /// @param number distinguishes the runs: each connects from a loopback address of its own
  /// @param full whether it runs in full size or in that of the test suite
  AbuseRun(SmallServer server, int number, boolean full) throws IOException {
    this.server = server;
    this.source = InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) number});
    this.full = full;
  }

  SmallServer server() {
    return server;
  }

  /// The size of something. In the short form of the suite it is a third of `inSuite`.
  int size(int inFull, int inSuite) {
    return full ? inFull : ALL ? inSuite : Math.max(1, inSuite / 3);
  }

  /// How many accounts there are for abuse.
  static int accounts(boolean full) {
    return full ? 2_000 : 300;
  }

  /// The same in this run.
  int accounts() {
    return accounts(full);
  }

  /// A connection that has sent nothing. It is closed with the run.
  Abuser connect() throws IOException {
    return connect(server.address(), 0);
  }

  /// The same to that address and with so large a receive buffer, or the system's usual one.
  Abuser connect(InetSocketAddress address, int receiveBuffer) throws IOException {
    Abuser abuser = new Abuser(address, source, receiveBuffer);
    open.add(abuser);
    return abuser;
  }

  /// A bound session that reads nothing by itself.
  Abuser login(int account, String resource) throws IOException {
    return login(account, resource, 0);
  }

  /// The same with so large a receive buffer.
  Abuser login(int account, String resource, int receiveBuffer) throws IOException {
    Abuser abuser = connect(server.address(), receiveBuffer);
    try {
      return abuser.open().authenticate("a" + account, SmallServer.PASSWORD, KEYS).bind(resource);
    } catch (IOException e) {
      drop(abuser);
      throw e;
    }
  }

  /// Closes a connection before the run ends.
  void drop(Abuser abuser) throws IOException {
    open.remove(abuser);
    abuser.close();
  }

  /// Part of an abuse.
  interface Part {
    void run(int number) throws Exception;
  }

  /// Runs a part `times` times, many of them at once. A part that the server does not let come to
  /// its end is counted and does not matter.
  void repeat(int times, Part part) throws InterruptedException {
    Semaphore places = new Semaphore(AT_ONCE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var futures =
          IntStream.range(0, times)
              .<Future<?>>mapToObj(i ->
                  threads.submit(() -> {
                    places.acquire();
                    try {
                      part.run(i);
                      done.increment();
                    } catch (IOException e) {
                      refused(e);
                    } finally {
                      places.release();
                    }
                    return null;
                  }))
              .toList();
      for (Future<?> future : futures) {
        future.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("the abuse is broken", e.getCause());
    }
  }

  private void refused(IOException e) {
    refused.increment();
    reason = String.valueOf(e.getMessage());
  }

  @Override
  public void close() {
    for (Abuser abuser : open) {
      try {
        abuser.close();
      } catch (IOException e) {
        refused(e);
      }
    }
    open.clear();
  }

  @Override
  public String toString() {
    return done + " done, " + refused + " refused" + (reason.isEmpty() ? "" : ": " + reason);
  }
}
