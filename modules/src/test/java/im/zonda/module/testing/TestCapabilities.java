package im.zonda.module.testing;

import im.zonda.jid.Jid;
import im.zonda.session.CapabilityCache;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A cache of capabilities that forgets nothing.
final class TestCapabilities implements CapabilityCache {
  private final Map<Key, Set<String>> known = new HashMap<>();

  @Override
  public @Nullable Set<String> find(Key key) {
    return known.get(key);
  }

  @Override
  public void add(Key key, Set<String> features, Jid source) {
    known.put(key, Set.copyOf(features));
  }
}
