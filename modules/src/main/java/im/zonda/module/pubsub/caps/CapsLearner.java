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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Learns the features of clients: from the cache, or by asking one client for each hash (XEP-0115,
/// section 5.4). Others with the same hash wait for its answer. What does not have the hash counts
/// for the client that sent it, and the next one is asked: one of another account or remote domain
/// if there is any, so that clients that do not answer do not delay others for long.
///
/// Thread-safe; nothing blocks.
public final class CapsLearner {
  private static final QName INFO = new QName("http://jabber.org/protocol/disco#info", "query");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// Clients that wait for one hash; further ones have no features until their next presence.
  private static final int MAX_WAITING = 1_000;

  /// Those of one account or remote domain among them.
  private static final int MAX_WAITING_OF_ONE = MAX_WAITING / 4;

  /// Hashes that are asked for at a time.
  private static final int MAX_HASHES = 1_000;

  /// Capabilities that are shared; beyond it sharing begins again.
  private static final int MAX_SHARED = 1_024;

  private record Waiting(Jid account, Jid client, Caps caps, Consumer<Set<String>> learned) {
    /// The account of this host, or the domain, that is charged for the request.
    Jid charged() {
      return client.domain().equals(account.domain()) ? client.bare() : client.domainJid();
    }
  }

  /// Those who wait for one hash.
  private static final class Queue {
    private final Deque<Waiting> waiting = new ArrayDeque<>(1);
    private final Map<Jid, Integer> counts = new HashMap<>(2);

    boolean add(Waiting more) {
      int own = counts.getOrDefault(more.charged(), 0);
      if (waiting.size() >= MAX_WAITING || own >= MAX_WAITING_OF_ONE) {
        return false;
      }
      counts.put(more.charged(), own + 1);
      return waiting.add(more);
    }

    /// Removes all that wait for the answer of that client.
    List<Waiting> removeAll(Jid client) {
      List<Waiting> removed = waiting.stream().filter(each -> each.client.equals(client)).toList();
      if (!removed.isEmpty()) {
        waiting.removeIf(each -> each.client.equals(client));
        counts.merge(removed.getFirst().charged(), -removed.size(), Integer::sum);
      }
      return removed;
    }

    /// Removes the next to be asked, if possible not one of those who are charged for the former.
    @Nullable Waiting poll(Jid former) {
      Waiting next =
          waiting.stream()
              .filter(each -> !each.charged().equals(former))
              .findFirst()
              .orElse(waiting.peek());
      if (next != null) {
        waiting.remove(next);
        counts.merge(next.charged(), -1, Integer::sum);
      }
      return next;
    }
  }

  private final CapabilityCache cache;
  private final ExternalComponents requests;
  private final IdSource ids;

  // Guarded by itself.
  private final Map<CapabilityCache.Key, Queue> asked = new HashMap<>();

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
      Queue others = asked.get(caps.key());
      if (others != null && others.add(waiting)) {
        return;
      }
      if (others != null || asked.size() >= MAX_HASHES) {
        learned.accept(Set.of());
        return;
      }
      asked.put(caps.key(), new Queue());
    }
    ask(waiting, caps.key());
  }

  private void ask(Waiting waiting, CapabilityCache.@Nullable Key key) {
    Element query = Element.builder(INFO).attribute("node", waiting.caps.discoveryNode()).build();
    Iq request = Iq.of(Iq.Type.GET, waiting.account, waiting.client, "caps-" + ids.next(), query);
    requests.request(
        request, waiting.charged(), PATIENCE, answer -> answered(waiting, key, answer));
  }

  private void answered(Waiting waiting, CapabilityCache.@Nullable Key key, Iq answer) {
    Element info = answer.isError() ? null : answer.payload();
    Set<String> features = info == null || !info.name().equals(INFO) ? Set.of() : features(info);
    boolean verified = key != null && info != null && waiting.caps.verify(info);
    if (key != null && verified) {
      cache.add(key, features, waiting.client.bare());
    }
    waiting.learned.accept(features);
    if (key != null && verified) {
      completeAll(key, features);
    } else if (key != null) {
      askNext(key, waiting, features);
    }
  }

  /// Gives the features to all that wait for them.
  private void completeAll(CapabilityCache.Key key, Set<String> features) {
    Queue queue;
    synchronized (asked) {
      queue = asked.remove(key);
    }
    if (queue != null) {
      queue.waiting.forEach(each -> each.learned.accept(features));
    }
  }

  /// Gives what counts for the former client to all that wait for that one, and asks the next.
  private void askNext(CapabilityCache.Key key, Waiting former, Set<String> features) {
    List<Waiting> same;
    Waiting next;
    synchronized (asked) {
      Queue queue = asked.get(key);
      if (queue == null) {
        return;
      }
      same = queue.removeAll(former.client);
      next = queue.poll(former.charged());
      if (next == null) {
        asked.remove(key);
      }
    }
    same.forEach(each -> each.learned.accept(features));
    if (next != null) {
      ask(next, key);
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
