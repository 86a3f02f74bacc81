package im.zonda.app.node;

import im.zonda.jid.Jid;
import im.zonda.stanza.Namespaces;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.Stores;
import im.zonda.testkit.server.TestServer;
import im.zonda.xml.QName;
import java.time.InstantSource;
import java.util.List;

/// The message log of several nodes.
final class SharedLog {
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");
  private static final MessageArchive.Portion ALL =
      new MessageArchive.Portion(false, 100, Long.MAX_VALUE);

  private SharedLog() {}

  /// Stores that keep origins, as those of nodes do; a database of one server does not.
  static Stores instead(Stores ofOneServer) {
    ofOneServer.close();
    return new MemoryStores(InstantSource.system());
  }

  /// What an archive has, oldest first, as a node sees it.
  static List<MessageLog.Entry> archive(TestServer node, String owner) {
    return node.stores().archive().page(Jid.of(owner), MessageArchive.Filter.ALL, ALL).entries();
  }

  /// The bodies of that; an empty one for a message without one.
  static List<String> bodies(TestServer node, String owner) {
    return archive(node, owner).stream()
        .map(entry -> entry.message().payload(BODY))
        .map(body -> body == null ? "" : body.text())
        .toList();
  }
}
