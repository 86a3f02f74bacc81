package im.zonda.module.testing;

import im.zonda.jid.Jid;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.stanza.Stanza;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// An account's home. States are loaded when first asked for; an account that does not exist has
/// none.
public final class TestHome implements Home {
  /// Whether the home has that session, or the account exists if the resource is null.
  static boolean has(Home home, @Nullable String resource) {
    return resource == null ? home.exists() : home.session(resource) != null;
  }

  private final Jid jid;
  private final Predicate<Jid> registered;
  private final List<TestSession> sessions = new ArrayList<>();
  private final Map<HomeKey<?>, Object> states = new HashMap<>();

  TestHome(Jid jid, Predicate<Jid> registered) {
    this.jid = jid;
    this.registered = registered;
  }

  @Override
  public Jid jid() {
    return jid;
  }

  @Override
  public boolean exists() {
    return registered.test(jid);
  }

  @Override
  public List<TestSession> sessions() {
    return List.copyOf(sessions);
  }

  @Override
  public @Nullable TestSession session(String resource) {
    for (TestSession session : sessions) {
      if (resource.equals(session.jid().resource())) {
        return session;
      }
    }
    return null;
  }

  @Override
  @SuppressWarnings("unchecked") // the key's own loader made the value
  public <T> T state(HomeKey<T> key) {
    Object value = states.get(key);
    if (value == null) {
      if (!exists()) {
        throw new IllegalStateException(key.name() + " of an account that does not exist: " + jid);
      }
      value = key.loader().apply(jid);
      states.put(key, value);
    }
    return (T) value;
  }

  /// Adds a session; that of a guest (XEP-0175) if there is no account. No listener is notified.
  public TestSession addSession(@Nullable String resource) {
    TestSession session = new TestSession(Jid.of(jid.local(), jid.domain(), resource));
    add(session);
    return session;
  }

  /// Forgets all states, as a home does that is unloaded; the next question loads them again.
  public void unload() {
    states.clear();
  }

  /// The sessions that get a message or presence (RFC 6121, section 8.5).
  List<TestSession> receivers(Stanza stanza) {
    String resource = Objects.requireNonNull(stanza.to()).resource();
    if (resource != null) {
      TestSession session = session(resource);
      return session == null ? List.of() : List.of(session);
    }
    if (stanza instanceof Message && stanza.isError()) {
      return List.of();
    }
    return sessions.stream()
        .filter(TestSession::available)
        .filter(session -> stanza instanceof Presence || session.priority() >= 0)
        .toList();
  }

  void add(TestSession session) {
    sessions.add(session);
  }

  void remove(TestSession session) {
    sessions.remove(session);
  }
}
