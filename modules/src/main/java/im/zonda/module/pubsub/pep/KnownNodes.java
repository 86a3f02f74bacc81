package im.zonda.module.pubsub.pep;

import im.zonda.module.pubsub.node.NodeConfig;
import im.zonda.module.pubsub.owner.NodeOwner.Change;
import im.zonda.session.Home;
import im.zonda.xml.Element;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Nodes of accounts that other modules know by their names: how they are configured when they are
/// created without options, and who follows their changes. Thread-safe.
public final class KnownNodes {
  /// Follows the changes that requests make to a node. Called at the account's home; may block.
  public interface Observer {
    /// Whether a payload may be published. Called before anything is stored.
    default boolean accepts(Home home, Element payload) {
      return true;
    }

    /// The node was changed; the request has not been answered.
    void changed(Home home, Change change);
  }

  private final Map<String, Observer> observers = new ConcurrentHashMap<>();
  private final Map<String, NodeConfig> configs = new ConcurrentHashMap<>();

  /// Sets who follows the changes of a node; null for nobody.
  public void observe(String node, @Nullable Observer observer) {
    if (observer == null) {
      observers.remove(node);
    } else {
      observers.put(node, observer);
    }
  }

  /// Sets the configuration of a node that is created without options; null for that of any node.
  public void configure(String node, @Nullable NodeConfig config) {
    if (config == null) {
      configs.remove(node);
    } else {
      configs.put(node, config);
    }
  }

  NodeConfig config(String node, NodeConfig otherwise) {
    return configs.getOrDefault(node, otherwise);
  }

  boolean isConfigured(String node) {
    return configs.containsKey(node);
  }

  boolean accepts(Home home, String node, Element payload) {
    Observer observer = observers.get(node);
    return observer == null || observer.accepts(home, payload);
  }

  void changed(Home home, String node, Change change) {
    Observer observer = observers.get(node);
    if (observer != null) {
      observer.changed(home, change);
    }
  }
}
