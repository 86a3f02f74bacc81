package im.zonda.cluster.edge;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.Attachment;
import im.zonda.cluster.frame.ClientUpdate;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.rule.ProtocolRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/// The connections of clients at one node, by number. A number is never used twice.
public final class Edge {
  private final Member self;
  private final ProtocolRules rules;
  private final EdgeOutput output;
  private final Map<Long, EdgeSession> sessions = new LinkedHashMap<>();

  /// An edge without connections.
  public Edge(Member self, ProtocolRules rules, EdgeOutput output) {
    this.self = self;
    this.rules = rules;
    this.output = output;
  }

  /// A client begins a session.
  ///
  /// @param session an id that was never used
  public void bind(long connection, String owner, String session, String resource) {
    Attachment attachment = new Attachment(self, connection);
    open(new NodeValue.Bind(owner, session, resource, attachment), session, attachment, 0);
  }

  /// A client continues a session.
  ///
  /// @param h the number of stanzas that it has
  public void resume(long connection, String owner, String session, long h) {
    Attachment attachment = new Attachment(self, connection);
    open(new NodeValue.Resume(owner, session, attachment, h), session, attachment, h);
  }

  private void open(NodeValue.ToHome request, String session, Attachment attachment, long written) {
    sessions.put(
        attachment.connection(),
        new EdgeSession(request, session, attachment, written, rules, output));
    output.toHome(request);
  }

  /// A client has sent a stanza.
  public void receive(long connection, String to, boolean stored, StanzaBytes bytes) {
    EdgeSession session = sessions.get(connection);
    if (session != null) {
      session.receive(to, stored, bytes);
    }
  }

  /// A client has `h` stanzas.
  public void acknowledged(long connection, long h) {
    EdgeSession session = sessions.get(connection);
    if (session != null) {
      session.acknowledged(h);
    }
  }

  /// A connection is gone.
  public void close(long connection) {
    EdgeSession session = sessions.get(connection);
    if (session != null) {
      session.close();
    }
  }

  /// A client ends its session.
  public void end(long connection) {
    EdgeSession session = sessions.get(connection);
    if (session != null) {
      session.end();
    }
  }

  /// Closes all connections, to be continued elsewhere.
  public void closeAll() {
    new ArrayList<>(sessions.values()).forEach(EdgeSession::close);
  }

  /// A stanza of a client is SAFE.
  public void safe(long connection, long number) {
    EdgeSession session = sessions.get(connection);
    if (session != null) {
      session.safe(number);
    }
  }

  /// Two processes have what is told. If the connection does not exist, the home learns it.
  public void update(ClientUpdate update) {
    EdgeSession session = sessions.get(update.attachment().connection());
    if (session != null) {
      session.update(update);
    } else {
      unknown(update.owner(), update.session(), update.attachment());
    }
  }

  /// A home asks for the end of a connection. If it does not exist, it has ended.
  public void detach(NodeValue.Detach detach) {
    EdgeSession session = sessions.get(detach.attachment().connection());
    if (session != null) {
      session.close();
    } else {
      unknown(detach.owner(), detach.session(), detach.attachment());
    }
  }

  private void unknown(String owner, String session, Attachment attachment) {
    output.toHome(new NodeValue.Detached(owner, session, attachment));
  }

  /// A home does not want anything more of a connection.
  public void closed(Attachment attachment) {
    EdgeSession session = sessions.remove(attachment.connection());
    if (session != null) {
      session.forget(new EdgeReply.Close());
    }
  }

  /// A home does not continue a session on a connection.
  public void refused(Attachment attachment, NodeValue.Reason reason) {
    EdgeSession session = sessions.remove(attachment.connection());
    if (session != null) {
      session.forget(new EdgeReply.Refused(reason));
    }
  }

  /// Says again what homes may not know, in a new placement.
  public void sayAgain() {
    new ArrayList<>(sessions.values()).forEach(EdgeSession::sayAgain);
  }

  /// Whether a client of a session is attached here.
  public boolean isAttached(String session) {
    return sessions.values().stream().anyMatch(each -> each.isAttached(session));
  }

  /// The most stanzas of one client that are not SAFE.
  public int longest() {
    int longest = 0;
    for (EdgeSession session : sessions.values()) {
      longest = Math.max(longest, session.pending());
    }
    return longest;
  }
}
