package im.zonda.home.recovery;

import im.zonda.cluster.replica.Replication;
import im.zonda.home.session.SessionSnapshotCodec;
import im.zonda.home.session.SessionSnapshotCodec.Section;
import im.zonda.jid.Jid;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The numbers of the last resumptions of sessions that were at other nodes, as those had
/// replicated them. They are stored as long as a client may resume the session. Any thread may
/// call.
public final class ResumptionNumbers {
  private static final Logger LOG = LoggerFactory.getLogger(ResumptionNumbers.class);

  /// A number with its session.
  ///
  /// @param until when it is forgotten, in ms since 1970
  /// @param isOwned whether the session is here: the part of the home ends with the session
  private record Known(Jid account, long number, long until, boolean isOwned) {}

  private final Replication replication;
  private final SessionSnapshotCodec codec = new SessionSnapshotCodec();
  private final InstantSource clock;
  private final Duration time;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /// @param time how long a session without a stream can be resumed
  public ResumptionNumbers(Replication replication, InstantSource clock, Duration time) {
    this.replication = replication;
    this.clock = clock;
    this.time = time;
  }

  /// Stores the numbers that are among the parts of a home.
  void restore(Jid account, Map<String, byte[]> parts) {
    long until = clock.instant().plus(time).toEpochMilli();
    parts.forEach((key, part) -> {
      String id = Section.idOf(key);
      if (key.equals(Section.RESUMED.key(id))) {
        try {
          long number = codec.readResumed(part);
          known.put(id, new Known(account, number, until, parts.containsKey(id)));
        } catch (IOException e) {
          LOG.atError().addKeyValue("home", account).setCause(e).log("state_not_restored");
          replication.copy(account, key, null);
        }
      }
    });
  }

  /// The number of a session's last resumption; empty if it is not known.
  OptionalLong find(String id) {
    Known found = known.get(id);
    return found == null ? OptionalLong.empty() : OptionalLong.of(found.number());
  }

  /// The session with that id is here, and replicates the number of its last resumption itself.
  void replicated(String id, long number) {
    known.computeIfPresent(
        id,
        (_, each) ->
            new Known(each.account(), Math.max(number, each.number()), each.until(), true));
  }

  /// Takes the numbers of these accounts, which move to another node, as parts of their homes.
  Map<Jid, Map<String, byte[]>> take(Predicate<Jid> accounts) {
    Map<Jid, Map<String, byte[]>> taken = new HashMap<>();
    known.forEach((id, each) -> {
      if (accounts.test(each.account()) && known.remove(id, each)) {
        taken
            .computeIfAbsent(each.account(), _ -> new HashMap<>())
            .put(Section.RESUMED.key(id), codec.resumed(each.number()));
      }
    });
    return taken;
  }

  /// Forgets the numbers of sessions that no client can resume now.
  void expire() {
    long now = clock.millis();
    known.forEach((id, each) -> {
      if (each.until() <= now && known.remove(id, each) && !each.isOwned()) {
        replication.copy(each.account(), Section.RESUMED.key(id), null);
      }
    });
  }
}
