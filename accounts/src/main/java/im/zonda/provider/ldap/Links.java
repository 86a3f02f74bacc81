package im.zonda.provider.ldap;

import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import im.zonda.account.provider.ProviderException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Connections that are used again. None is made before it is needed, so that a server starts
/// without its directory, and what breaks is replaced by the next question. Any thread may call.
final class Links implements AutoCloseable {
  /// The most bytes of one answer to a login.
  static final int ANSWER_BYTES = 256 * 1024;

  /// A connection that was idle for longer is asked something first.
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /// One that is older is replaced, so that a server that is back gets its share.
  private static final long AGE_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final int WAIT_SECONDS = 5;

  private final Servers servers;
  private final boolean bound;
  private final Semaphore free;
  private final Deque<Link> idle = new ArrayDeque<>(); // guarded by this
  private final Set<Link> used = new HashSet<>(); // guarded by this
  private boolean closed; // guarded by this

  /// Something that is done with a connection.
  interface Work<T> {
    T run(Link link) throws LDAPException, ProviderException, InterruptedException;
  }

  /// @param bound whether connections are bound by the name of the settings
  /// @param most the most connections
  Links(Servers servers, boolean bound, int most) {
    this.servers = servers;
    this.bound = bound;
    this.free = new Semaphore(most);
  }

  /// Does something with a connection. What failed because a connection that was idle is broken is
  /// done a second time with a new one.
  ///
  /// @throws LDAPException if the server has answered that it fails
  /// @throws ProviderException if no server answers
  <T> T with(Work<T> work) throws LDAPException, ProviderException, InterruptedException {
    if (!free.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
      throw new ProviderException("all connections to the directory are busy");
    }
    try {
      Link link = takeIdle();
      if (link != null) {
        try {
          return run(link, work);
        } catch (LDAPException e) {
          if (!isBroken(e) || isLate(e)) {
            throw e;
          }
        }
      }
      Link opened = servers.open(bound, ANSWER_BYTES);
      use(opened);
      return run(opened, work);
    } finally {
      free.release();
    }
  }

  private <T> T run(Link link, Work<T> work)
      throws LDAPException, ProviderException, InterruptedException {
    boolean good = false;
    try {
      T result = work.run(link);
      good = true;
      return result;
    } catch (LDAPException e) {
      // An interrupt is the time limit of the caller: the server is as slow as one that is late.
      if (isLate(e) || Thread.currentThread().isInterrupted()) {
        leave(link.server());
      }
      Failures.interrupted();
      good = !isBroken(e);
      throw e;
    } finally {
      release(link, good);
    }
  }

  static boolean isBroken(LDAPException e) {
    return !e.getResultCode().isConnectionUsable() || isLate(e);
  }

  private static boolean isLate(LDAPException e) {
    return e.getResultCode().equals(ResultCode.TIMEOUT);
  }

  private @Nullable Link takeIdle() throws InterruptedException {
    for (Link link = poll(); link != null; link = poll()) {
      boolean good = link.ageNanos() < AGE_NANOS && link.connection().isConnected();
      if (good && link.idleNanos() > IDLE_NANOS) {
        good = link.answers();
      }
      if (good) {
        return link;
      }
      release(link, false);
      Failures.interrupted();
    }
    return null;
  }

  private synchronized @Nullable Link poll() {
    Link link = idle.pollFirst();
    if (link != null) {
      used.add(link);
    }
    return link;
  }

  private void use(Link link) throws ProviderException {
    synchronized (this) {
      if (!closed) {
        used.add(link);
        return;
      }
    }
    link.close();
    throw new ProviderException("the provider is closed");
  }

  private void release(Link link, boolean good) {
    link.touch();
    synchronized (this) {
      used.remove(link);
      if (good && !closed) {
        idle.addFirst(link);
        return;
      }
    }
    link.close();
  }

  /// A server hangs: its other connections would cost a time limit each.
  private void leave(ServerAddress server) {
    servers.avoid(server);
    Set<Link> left = new HashSet<>();
    synchronized (this) {
      idle.removeIf(link -> link.server().equals(server) && left.add(link));
    }
    left.forEach(Link::close);
  }

  @Override
  public void close() {
    Set<Link> all = new HashSet<>();
    synchronized (this) {
      closed = true;
      all.addAll(idle);
      all.addAll(used);
      idle.clear();
    }
    all.forEach(Link::close);
  }
}
