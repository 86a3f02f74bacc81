package im.zonda.module.pubsub.caps;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IdSource;
import im.zonda.session.CapabilityCache;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Learns the features of clients: from the cache, or by asking one client for each hash (XEP-0115,
/// section 5.4). Others with the same hash wait for its answer. What does not have the hash counts
/// for the client that sent it, and the next one is asked.
///
/// Thread-safe; nothing blocks.
public final class CapsLearner {
  private static final QName INFO = new QName("http://jabber.org/protocol/disco#info", "query");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// Clients that wait for one hash; further ones have no features until their next presence.
  private static final int MAX_WAITING = 1_000;

  /// Hashes that are asked for at a time.
  private static final int MAX_HASHES = 1_000;

  /// Capabilities that are shared; beyond it sharing begins again.
  private static final int MAX_SHARED = 1_024;

  private record Waiting(Jid account, Jid client, Caps caps, Consumer<Set<String>> learned) {}

  private final CapabilityCache cache;
  private final ExternalComponents requests;
  private final IdSource ids;

  // Guarded by itself.
  private final Map<CapabilityCache.Key, Deque<Waiting>> asked = new HashMap<>();

  private final Map<Caps, Caps> shared = new ConcurrentHashMap<>();

  public CapsLearner(CapabilityCache cache, ExternalComponents requests, IdSource ids) {
    this.cache = cache;
    this.requests = requests;
    this.ids = ids;
  }

  /// The same object for all clients with equal capabilities: there are many clients of few
  /// versions.
  public Caps share(Caps caps) {
    if (shared.size() >= MAX_SHARED) {
      shared.clear();
    }
    Caps known = shared.putIfAbsent(caps, caps);
    return known == null ? caps : known;
  }

  /// The features of a client if they are known.
  public @Nullable Set<String> find(Caps caps) {
    return cache.find(caps.key());
  }

  /// Learns the features of a client.
  ///
  /// @param account the bare address on whose behalf the client is asked
  /// @param client its full address
  /// @param learned gets the features, none if the client does not answer; on any thread
  public void learn(Jid account, Jid client, Caps caps, Consumer<Set<String>> learned) {
    Waiting waiting = new Waiting(account, client, caps, learned);
    if (caps.algorithm().isEmpty()) {
      ask(waiting, null); // nothing to verify: it counts for this client only
      return;
    }
    synchronized (asked) {
      Deque<Waiting> others = asked.get(caps.key());
      if (others != null && others.size() < MAX_WAITING) {
        others.add(waiting);
        return;
      }
      if (others != null || asked.size() >= MAX_HASHES) {
        learned.accept(Set.of());
        return;
      }
      asked.put(caps.key(), new ArrayDeque<>(1));
    }
    ask(waiting, caps.key());
  }

  private void ask(Waiting waiting, CapabilityCache.@Nullable Key key) {
    Element query = Element.builder(INFO).attribute("node", waiting.caps.discoveryNode()).build();
    Iq request = Iq.of(Iq.Type.GET, waiting.account, waiting.client, "caps-" + ids.next(), query);
    Jid charged =
        waiting.client.domain().equals(waiting.account.domain())
            ? waiting.client.bare()
            : waiting.client.domainJid();
    requests.request(request, charged, PATIENCE, answer -> answered(waiting, key, answer));
  }

  private void answered(Waiting waiting, CapabilityCache.@Nullable Key key, Iq answer) {
    Element info = answer.isError() ? null : answer.payload();
    Set<String> features = info == null || !info.name().equals(INFO) ? Set.of() : features(info);
    boolean verified = key != null && info != null && waiting.caps.verify(info);
    if (key != null && verified) {
      cache.add(key, features, waiting.client.bare());
    }
    waiting.learned.accept(features);
    if (key != null) {
      goOn(key, verified ? features : null);
    }
  }

  /// Gives the features to all that wait for them, or asks the next client.
  private void goOn(CapabilityCache.Key key, @Nullable Set<String> features) {
    Deque<Waiting> all = new ArrayDeque<>();
    Waiting next = null;
    synchronized (asked) {
      Deque<Waiting> waiting = asked.get(key);
      if (waiting == null) {
        return;
      }
      if (features == null) {
        next = waiting.poll();
      }
      if (next == null) {
        all.addAll(waiting);
        asked.remove(key);
      }
    }
    if (next != null) {
      ask(next, key);
    }
    for (Waiting each : all) {
      each.learned.accept(features == null ? Set.of() : features);
    }
  }

  private static Set<String> features(Element info) {
    Set<String> features = new HashSet<>();
    for (Element child : info.children()) {
      String feature = child.is(INFO.namespace(), "feature") ? child.attribute("var") : null;
      if (feature != null) {
        features.add(feature);
      }
    }
    return Set.copyOf(features);
  }
}
