package im.zonda.app.noloss;

import im.zonda.testkit.relay.RelayedConnection;
import im.zonda.testkit.relay.Tap;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Breaks a connection between a commit and its answer: the database has committed, and its client
/// does not learn it.
final class LostAnswers implements Tap {
  private final byte[] marker;
  private final boolean inRequest;
  private final Set<RelayedConnection> committing = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Trap trap;

  /// What happens to the connection of the next commit.
  private record Trap(Consumer<RelayedConnection> effect, CountDownLatch sprung) {}

  private LostAnswers(String marker, boolean inRequest) {
    this.marker = marker.getBytes(StandardCharsets.US_ASCII);
    this.inRequest = inRequest;
  }

  /// The answer names the command; the request may be the number of a prepared statement.
  static LostAnswers ofPostgresql() {
    return new LostAnswers("COMMIT\0", false);
  }

  /// The request is text; the answer only says that it is done.
  static LostAnswers ofMariadb() {
    return new LostAnswers("COMMIT", true);
  }

  /// Does that to the connection of the next commit before its answer is forwarded.
  ///
  /// @return false if there was no commit for that long
  boolean spring(Consumer<RelayedConnection> effect, long seconds) throws InterruptedException {
    Trap set = new Trap(effect, new CountDownLatch(1));
    trap = set;
    boolean sprung = set.sprung.await(seconds, TimeUnit.SECONDS);
    trap = null;
    committing.clear();
    return sprung;
  }

  @Override
  public void forwarding(RelayedConnection connection, boolean up, byte[] bytes, int count) {
    Trap set = trap;
    if (set == null) {
      return;
    }
    if (up && inRequest && contains(bytes, count)) {
      committing.add(connection);
    } else if (!up && (inRequest ? committing.contains(connection) : contains(bytes, count))) {
      synchronized (this) {
        if (set.sprung.getCount() == 0) {
          return;
        }
        set.effect.accept(connection);
        set.sprung.countDown();
      }
    }
  }

  private boolean contains(byte[] bytes, int count) {
    for (int i = 0; i + marker.length <= count; i++) {
      int at = 0;
      while (at < marker.length && bytes[i + at] == marker[at]) {
        at++;
      }
      if (at == marker.length) {
        return true;
      }
    }
    return false;
  }
}
