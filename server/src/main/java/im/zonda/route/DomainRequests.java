package im.zonda.route;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.StanzaError;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs IQ requests to domains of this server that come from elsewhere, such as another server:
/// there is no home of the sender in whose order they could run.
///
/// Requests may block, so each runs on a worker. How many run or wait for a worker at a time is
/// bounded; when too many do, senders with more than a few of them get `resource-constraint`, and
/// others are still answered. The senders of one other server count as one. Safe for use by several
/// threads.
public final class DomainRequests {
  private static final Logger LOG = LoggerFactory.getLogger(DomainRequests.class);

  /// Requests that each sender may have even when all together are too many.
  static final int FREE = 4;

  private final Executor workers;
  private final ErrorReplies errors;
  private final int most;

  // Guarded by this object's monitor.
  private final Map<Jid, Integer> running = new HashMap<>();
  private int total;

  /// @param workers runs each task on a thread of its own
  /// @param most the requests of all senders together
  public DomainRequests(Executor workers, ErrorReplies errors, int most) {
    this.workers = workers;
    this.errors = errors;
    this.most = most;
  }

  /// Runs `answer`, which answers the request, or answers it with an error. Returns at once.
  ///
  /// @param sender whom it is charged to: the sender's domain, or the account on this server
  public void run(Envelope request, Jid sender, Runnable answer) {
    if (!begin(sender)) {
      errors.reject(request, StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT));
      return;
    }
    request.origin().hold();
    try {
      workers.execute(() -> runNow(request, sender, answer));
    } catch (RuntimeException | Error e) {
      fail(request, e);
      end(request, sender);
    }
  }

  private void runNow(Envelope request, Jid sender, Runnable answer) {
    try {
      answer.run();
    } catch (RuntimeException | Error e) {
      fail(request, e);
    } finally {
      end(request, sender);
    }
  }

  private void fail(Envelope request, Throwable cause) {
    LOG.atError().addKeyValue("to", request.stanza().to()).setCause(cause).log("request_failed");
    errors.reject(request, ErrorReplies.errorFor(cause));
  }

  private synchronized boolean begin(Jid sender) {
    int own = running.getOrDefault(sender, 0);
    if (total >= most && own >= FREE) {
      return false;
    }
    running.put(sender, own + 1);
    total++;
    return true;
  }

  private void end(Envelope request, Jid sender) {
    synchronized (this) {
      total--;
      running.computeIfPresent(sender, (key, own) -> own == 1 ? null : own - 1);
    }
    request.origin().release();
  }

  /// How many run or wait for a worker.
  synchronized int size() {
    return total;
  }

  /// The domain of a sender, which is charged for its requests.
  public static Jid payer(Jid from) {
    return Jid.of(from.domain());
  }
}
