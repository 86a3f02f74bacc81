package im.zonda.module.testing;

import im.zonda.jid.Jid;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// An account's home. States are loaded when first asked for; an account that does not exist has
/// none.
public final class TestHome implements Home {
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

  /// Forgets all states, as a home does that is unloaded; the next question loads them again.
  public void unload() {
    states.clear();
  }

  void add(TestSession session) {
    sessions.add(session);
  }

  void remove(TestSession session) {
    sessions.remove(session);
  }
}
