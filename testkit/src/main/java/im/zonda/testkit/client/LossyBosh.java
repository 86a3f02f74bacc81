package im.zonda.testkit.client;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A network that loses, delays and repeats requests and responses of BOSH, as proxies do. What
/// happens to a request depends on the seed and on the order of the requests. Any thread may call.
public final class LossyBosh implements BoshNetwork {
  private final BoshNetwork inner;
  private final Random random;
  private int losses;
  private int repetitions;

  /// @param seed which faults there are
  public LossyBosh(BoshNetwork inner, long seed) {
    this.inner = inner;
    this.random = new Random(seed);
  }

  private synchronized int next(int bound) {
    return random.nextInt(bound);
  }

  private synchronized void count(boolean loss) {
    losses += loss ? 1 : 0;
    repetitions += loss ? 0 : 1;
  }

  /// How many requests and responses were lost.
  public synchronized int losses() {
    return losses;
  }

  /// How many requests have come twice.
  public synchronized int repetitions() {
    return repetitions;
  }

  @Override
  public String post(String body) throws IOException {
    int fault = next(10);
    if (fault == 0) {
      count(true);
      throw new IOException("the request is lost");
    }
    if (fault <= 2) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(next(30)));
    }
    String response = inner.post(body);
    if (fault == 3) {
      count(true);
      throw new IOException("the response is lost");
    }
    if (fault == 4 && body.contains(" sid='")) {
      count(false);
      String again = inner.post(body);
      if (!again.equals(response)) {
        throw new IllegalStateException("another response: " + response + " and " + again);
      }
    }
    return response;
  }
}
