package im.zonda.cluster.session;

import im.zonda.jid.Jid;
import im.zonda.link.StreamEnd;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.link.keeper.SessionKeeper;
import im.zonda.link.keeper.SessionWire;

/// A connection from a stream of this node to a home on another one: a numbered link whose values
/// are sent to that node ([SessionChannels]).
final class RemoteWire implements SessionWire, StreamEnd {
  private final SessionChannels links;
  private final String owner;
  private final SessionKeeper keeper;
  private final long link;

  RemoteWire(SessionChannels links, Jid owner, SessionKeeper keeper) {
    this.links = links;
    this.owner = owner.toString();
    this.keeper = keeper;
    this.link = links.open(this);
  }

  /// The account of the home.
  String owner() {
    return owner;
  }

  /// The number of the link.
  long link() {
    return link;
  }

  @Override
  public void send(ToSession value) {
    links.fromStream(link, owner, value);
  }

  @Override
  public void receive(ToStream value) {
    keeper.receive(value, this);
  }

  /// There is another placement, in which the home is on the same node.
  void placed() {
    keeper.placed(this);
  }

  /// The home is on another node now.
  ///
  /// @param killed whether the node that it was on is gone
  void moved(boolean killed) {
    keeper.lost(this, killed);
  }
}
