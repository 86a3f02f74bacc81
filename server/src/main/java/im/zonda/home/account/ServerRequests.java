package im.zonda.home.account;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.Scheduler;
import im.zonda.route.Routes;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// IQ requests of the server itself that have not been answered: those whose `from` is a host, or
/// the bare address of an account. Safe for use by several threads.
///
/// An answer counts only if it has the identifier of the request and comes from its addressee. How
/// many wait at a time is bounded; when too many do, those on whose behalf more than a few of them
/// were sent get no further one.
final class ServerRequests {
  /// Requests that each requester may have even when all together are too many.
  static final int FREE = 4;

  private record Key(@Nullable Jid from, @Nullable Jid to, String id) {
    static Key of(Iq request) {
      return new Key(request.from(), request.to(), request.id());
    }

    static Key ofAnswer(Iq answer) {
      return new Key(answer.to(), answer.from(), answer.id());
    }
  }

  private record Waiting(Jid requester, Consumer<Iq> answered) {}

  private final Routes routes;
  private final Scheduler scheduler;
  private final int most;

  // Guarded by this object's monitor.
  private final Map<Key, Waiting> waiting = new HashMap<>();
  private final Map<Jid, Integer> requesters = new HashMap<>();

  /// @param most the requests of all requesters together
  ServerRequests(Routes routes, Scheduler scheduler, int most) {
    this.routes = routes;
    this.scheduler = scheduler;
    this.most = most;
  }

  /// Sends a request; see [im.zonda.module.ExternalComponents#request].
  void send(Iq request, Jid requester, Duration patience, Consumer<Iq> answered) {
    Key key = Key.of(request);
    ErrorCondition refused = add(key, new Waiting(requester, answered));
    if (refused != null) {
      answered.accept(Iq.error(request, StanzaError.of(refused)));
      return;
    }
    Scheduler.Cancellable timer =
        scheduler.schedule(
            patience,
            () ->
                answer(
                    key, Iq.error(request, StanzaError.of(ErrorCondition.REMOTE_SERVER_TIMEOUT))));
    replace(
        key,
        new Waiting(
            requester,
            answer -> {
              timer.cancel();
              answered.accept(answer);
            }));
    routes.route(Envelope.of(request));
  }

  private synchronized @Nullable ErrorCondition add(Key key, Waiting request) {
    int own = requesters.getOrDefault(request.requester(), 0);
    if (waiting.size() >= most && own >= FREE) {
      return ErrorCondition.RESOURCE_CONSTRAINT;
    }
    if (waiting.putIfAbsent(key, request) != null) {
      return ErrorCondition.CONFLICT;
    }
    requesters.put(request.requester(), own + 1);
    return null;
  }

  private synchronized void replace(Key key, Waiting request) {
    waiting.replace(key, request);
  }

  /// The requester of a request that has not been answered; null if there is no such request.
  synchronized @Nullable Jid requesterOf(Iq request) {
    Waiting sent = waiting.get(Key.of(request));
    return sent == null ? null : sent.requester();
  }

  /// Accepts an answer; ignores one that no one waits for.
  void accept(Iq answer) {
    answer(Key.ofAnswer(answer), answer);
  }

  private void answer(Key key, Iq answer) {
    Waiting request = remove(key);
    if (request != null) {
      request.answered().accept(answer);
    }
  }

  private synchronized @Nullable Waiting remove(Key key) {
    Waiting request = waiting.remove(key);
    if (request != null) {
      requesters.computeIfPresent(
          request.requester(), (requester, own) -> own == 1 ? null : own - 1);
    }
    return request;
  }

  /// How many wait.
  synchronized int size() {
    return waiting.size();
  }
}
