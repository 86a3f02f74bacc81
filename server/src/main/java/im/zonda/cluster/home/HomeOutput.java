package im.zonda.cluster.home;

import im.zonda.cluster.Member;
import im.zonda.cluster.frame.ClientUpdate;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.RoutedStanza;

/// Takes what homes put out.
public interface HomeOutput {
  /// A value for a member, which may be this one.
  void send(Member to, NodeValue value);

  /// What two processes have, for a client of this node.
  void toClient(ClientUpdate update);

  /// A request to the database.
  void toStore(StoreRequest request);

  /// A stanza of a room for one of its occupants.
  void reflect(String occupant, RoutedStanza stanza);

  /// A number that no other request of this process has.
  long nextToken();
}
