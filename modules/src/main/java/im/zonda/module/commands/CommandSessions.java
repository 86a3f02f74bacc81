package im.zonda.module.commands;

import im.zonda.jid.Jid;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The commands that run at one address or host, in memory. The oldest session of an account ends
/// when the account has too many, and when all together are too many, the oldest of the account
/// that has most. Safe for use by several threads.
public final class CommandSessions {
  /// The most sessions of all accounts.
  static final int MOST = 1_000;

  /// How many ids of ended sessions are known as such.
  private static final int ENDED = 256;

  /// The bounds in force.
  ///
  /// @param perAccount the most sessions of one account
  /// @param time for how long a session waits for the next stage
  public record Bounds(int perAccount, Duration time) {}

  private final Supplier<Bounds> bounds;

  // Oldest use first. Guarded by this object's monitor.
  private final Map<String, CommandSession> sessions = new LinkedHashMap<>();
  private final Set<String> ended = new LinkedHashSet<>();

  /// @param bounds asked for each new session
  public CommandSessions(Supplier<Bounds> bounds) {
    this.bounds = bounds;
  }

  synchronized CommandSession start(String id, Jid from, Jid to, String node, Instant now) {
    Bounds limits = bounds.get();
    expire(now);
    if (count(from.bare()) >= limits.perAccount()) {
      endOldest(from.bare());
    }
    if (sessions.size() >= MOST) {
      endOldest(largest());
    }
    CommandSession session = new CommandSession(id, from, to, node, now.plus(limits.time()));
    sessions.put(id, session);
    return session;
  }

  /// The session of that id, or null. It is used now.
  synchronized @Nullable CommandSession find(String id, Instant now) {
    expire(now);
    CommandSession session = sessions.remove(id);
    if (session != null) {
      sessions.put(id, session);
    }
    return session;
  }

  /// Whether a session of that id has ended lately.
  synchronized boolean hasEnded(String id) {
    return ended.contains(id);
  }

  /// Begins a stage; false if the one before has not been answered.
  synchronized boolean begin(CommandSession session) {
    boolean free = !session.busy;
    session.busy = true;
    return free;
  }

  /// A stage has been answered, and the session goes on.
  synchronized void await(CommandSession session, Instant now) {
    session.busy = false;
    session.expiry = now.plus(bounds.get().time());
  }

  synchronized void end(CommandSession session) {
    if (sessions.remove(session.id()) != null) {
      ended.add(session.id());
      if (ended.size() > ENDED) {
        Iterator<String> oldest = ended.iterator();
        oldest.next();
        oldest.remove();
      }
    }
  }

  synchronized int size() {
    return sessions.size();
  }

  private void expire(Instant now) {
    sessions.values().stream()
        .filter(each -> !each.expiry.isAfter(now))
        .toList()
        .forEach(this::end);
  }

  private long count(Jid account) {
    return sessions.values().stream().filter(each -> each.owner().bare().equals(account)).count();
  }

  private Jid largest() {
    Map<Jid, Integer> counts = new LinkedHashMap<>();
    sessions.values().forEach(each -> counts.merge(each.owner().bare(), 1, Integer::sum));
    return counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  private void endOldest(Jid account) {
    for (CommandSession session : sessions.values()) {
      if (session.owner().bare().equals(account)) {
        end(session);
        return;
      }
    }
  }
}
