package im.zonda.home.account;

import im.zonda.home.session.LocalSession;
import im.zonda.home.session.SharedEntries;
import im.zonda.home.session.StreamManagementState;
import im.zonda.home.session.WaitingMessages;
import im.zonda.hook.StorageRule;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.stanza.Message;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.Stores;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The home of one account: its sessions and what modules keep with it. Confined to the home's
/// mailbox.
public final class AccountHome implements Home {
  private static final Object[] NOTHING = new Object[0];

  /// The sessions that an envelope names ([Envelope#others]).
  ///
  /// @param present those that the home has; if one of them reads the log, it is the first, as the
  ///   log has the message under its address
  /// @param absent the addresses of the others
  public record Named(List<LocalSession> present, List<Jid> absent) {
    /// The envelope for those that are present, of which there is one at least.
    public Envelope forPresent(Envelope envelope) {
      return envelope.withSessions(present.stream().map(LocalSession::jid).toList());
    }
  }

  private final Jid jid;
  private final Dispatch dispatch;
  private boolean exists;
  private List<LocalSession> sessions = List.of();
  private Object[] states = NOTHING;
  private final WaitingMessages waiting = new WaitingMessages();
  private final SharedEntries shared = new SharedEntries();
  private final List<Envelope> heldForRecovery = new ArrayList<>(0);
  private long newestId;

  private long newestWhenLoaded;
  private boolean emptyWhenLoaded;

  private AccountHome(Jid jid, Dispatch dispatch, long newestId) {
    this.jid = jid;
    this.dispatch = dispatch;
    this.newestId = newestId;
  }

  /// Reads what a home needs from the stores. Blocks.
  ///
  /// @param newestId no entry in the account's log has a higher id
  public static AccountHome load(Jid jid, Dispatch dispatch, Stores stores, long newestId) {
    AccountHome home = new AccountHome(jid, dispatch, newestId);
    home.load(stores);
    return home;
  }

  /// No entry in the account's log has a higher id.
  public long newestId() {
    return newestId;
  }

  /// The same when the home was loaded: entries of former homes have no higher ids, and all entries
  /// that this home appends have higher ids.
  public long newestWhenLoaded() {
    return newestWhenLoaded;
  }

  /// Notes that an entry with that id is appended to the account's log. The id must be higher than
  /// all before.
  public void appended(long id) {
    newestId = id;
  }

  /// Whether nothing has waited in the account's log since the home was loaded: no session needs to
  /// read it.
  public boolean nothingWaited() {
    return emptyWhenLoaded && newestId == newestWhenLoaded;
  }

  @Override
  public Jid jid() {
    return jid;
  }

  /// What the modules of the account's host have declared.
  public Dispatch dispatch() {
    return dispatch;
  }

  private void load(Stores stores) {
    waiting.asking();
    Stores.HomeStart start = stores.openHome(jid, newestId);
    exists = start != null;
    if (start != null) {
      newestId = start.newest();
      newestWhenLoaded = newestId;
      waiting.counted(start.waiting());
      emptyWhenLoaded = start.waiting() == 0;
      List<HomeKey<?>> keys = dispatch.homeKeys();
      Object[] values = new Object[keys.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = keys.get(i).loader().apply(jid);
      }
      states = values;
    }
  }

  /// Loads what modules keep with the home and did not when it was loaded. Blocks.
  public void loadMissing() {
    List<HomeKey<?>> keys = dispatch.homeKeys();
    if (exists && states.length < keys.size()) {
      Object[] values = Arrays.copyOf(states, keys.size());
      for (int i = states.length; i < values.length; i++) {
        values[i] = keys.get(i).loader().apply(jid);
      }
      states = values;
    }
  }

  /// Asks the log how many messages wait. Blocks.
  public void count(MessageLog log) {
    waiting.asking();
    waiting.counted(log.waitingCount(jid));
  }

  /// Whether the account exists, or a guest has its session (XEP-0175).
  public boolean isReachable() {
    return exists || !sessions.isEmpty();
  }

  /// Turns the home into one of an account that does not exist; the next task loads it again.
  public void unload() {
    exists = false;
    states = NOTHING;
  }

  @Override
  public boolean exists() {
    return exists;
  }

  @Override
  public List<LocalSession> sessions() {
    return sessions;
  }

  /// The session that can be resumed by that id, hashed; null if there is none.
  public @Nullable LocalSession sessionById(String id) {
    for (LocalSession session : sessions) {
      StreamManagementState management = session.management();
      if (management != null && id.equals(management.id())) {
        return session;
      }
    }
    return null;
  }

  @Override
  public @Nullable LocalSession session(String resource) {
    for (int i = 0; i < sessions.size(); i++) {
      LocalSession session = sessions.get(i);
      if (resource.equals(session.jid().resource())) {
        return session;
      }
    }
    return null;
  }

  @Override
  @SuppressWarnings("unchecked") // states[i] was made by the loader of homeKeys.get(i)
  public <T> T state(HomeKey<T> key) {
    int index = dispatch.homeKeys().indexOf(key);
    if (index < 0 || index >= states.length) {
      throw new IllegalStateException("not kept with " + jid + ": " + key.name());
    }
    return (T) Objects.requireNonNull(states[index]);
  }

  /// Adds a session. That of a guest must have been counted ([Dispatch#guestCount]).
  public void add(LocalSession session) {
    List<LocalSession> more = new ArrayList<>(sessions.size() + 1);
    more.addAll(sessions);
    more.add(session);
    sessions = List.copyOf(more);
    if (more.size() == 1) {
      dispatch.people().increment();
    }
  }

  /// Removes a session; false if it was not there.
  public boolean remove(LocalSession session) {
    List<LocalSession> fewer = new ArrayList<>(sessions);
    boolean removed = fewer.remove(session);
    if (removed) {
      sessions = List.copyOf(fewer);
      if (fewer.isEmpty()) {
        dispatch.people().decrement();
      }
      dispatch.guestCount().remove(session);
    }
    return removed;
  }

  /// Finds the sessions that an envelope names.
  public Named named(Envelope envelope) {
    List<LocalSession> present = new ArrayList<>();
    List<Jid> absent = new ArrayList<>(0);
    for (Jid jid : envelope.sessions()) {
      String resource = jid.resource();
      LocalSession session = resource == null ? null : session(resource);
      if (session == null) {
        absent.add(jid);
      } else if (session.readsLog()) {
        present.addFirst(session);
      } else {
        present.add(session);
      }
    }
    return new Named(present, absent);
  }

  /// The sessions of the highest priority that is not negative. If none of them has a stream
  /// (XEP-0198), also those of the highest priority that have one: the clients of the others may
  /// never come back.
  public List<LocalSession> mostAvailable() {
    if (sessions.size() == 1) {
      return sessions.getFirst().priority() >= 0 ? sessions : List.of();
    }
    int highest = 0;
    int live = 0;
    for (LocalSession session : sessions) {
      highest = Math.max(highest, session.priority());
      live = session.isDetached() ? live : Math.max(live, session.priority());
    }
    List<LocalSession> targets = new ArrayList<>(sessions.size());
    for (LocalSession session : sessions) {
      int priority = session.priority();
      if (priority == highest || (priority == live && !session.isDetached())) {
        targets.add(session);
      }
    }
    return targets;
  }

  /// The sessions whose priority is not negative.
  public List<LocalSession> notNegative() {
    return sessions.stream().filter(session -> session.priority() >= 0).toList();
  }

  /// Stanzas held for sessions that may be recovered ([im.zonda.home.recovery.HeldStanzas]).
  public List<Envelope> heldForRecovery() {
    return heldForRecovery;
  }

  /// The messages that wait in the log.
  public WaitingMessages waiting() {
    return waiting;
  }

  /// The entries of the log that some sessions were sent and others read.
  public SharedEntries shared() {
    return shared;
  }

  /// How long the log keeps the message, or null if it does not belong there.
  ///
  /// @param most how long it keeps those that belong there
  public @Nullable Keep keep(Message message, Keep most) {
    if (message.type() == Message.Type.GROUPCHAT || !exists()) {
      // The room stores it; otherwise it would be stored once for each occupant. Guests have no
      // log.
      return null;
    }
    Keep longest = most;
    for (StorageRule rule : dispatch().storageRules()) {
      switch (rule.decide(message, this)) {
        case STORE -> {
          return longest;
        }
        case SKIP -> {
          return null;
        }
        case UNTIL_DELIVERED -> longest = Keep.UNTIL_DELIVERED;
        case UNDECIDED -> {}
      }
    }
    return switch (message.type()) {
      case NORMAL, CHAT -> message.hasBody() ? longest : null;
      case HEADLINE, GROUPCHAT, ERROR -> null;
    };
  }
}
