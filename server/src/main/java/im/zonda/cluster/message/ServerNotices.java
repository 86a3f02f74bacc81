package im.zonda.cluster.message;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/// Notices that what all nodes of a cluster share in the store has changed: to modules of virtual
/// hosts, and to parts of the server, such as the bans. Any thread may call; calls return at once.
public final class ServerNotices {
  /// No virtual host has this domain.
  private static final String SERVER = "";

  private final NodeMessage.Sender others;
  private final BiConsumer<String, String> modules;
  private final Map<String, Runnable> parts = new ConcurrentHashMap<>();

  /// @param others the other nodes
  /// @param modules notifies a module of a host here; given its domain and the module's name
  public ServerNotices(NodeMessage.Sender others, BiConsumer<String, String> modules) {
    this.others = others;
    this.modules = modules;
  }

  /// Calls `action`, which must not block, when another node has changed that part of the server.
  public void on(String part, Runnable action) {
    parts.put(part, action);
  }

  /// Notifies the other nodes that this one has changed that part of the server.
  public void post(String part) {
    others.postToOthers(new NodeMessage.ModuleNotice(SERVER, part));
  }

  /// Another node has sent a notice.
  public void receive(NodeMessage.ModuleNotice notice) {
    if (!notice.domain().equals(SERVER)) {
      modules.accept(notice.domain(), notice.module());
      return;
    }
    Runnable action = parts.get(notice.module());
    if (action != null) {
      action.run();
    }
  }
}
