package im.zonda.cluster.node;

import im.zonda.jid.Jid;
import im.zonda.module.Origin;

/// The first stanza of Romeo's session, and how often it is held.
class HeldOrigin implements Origin {
  static final Jid ROMEO = Jid.of("romeo@example.org/orchard");

  int holds;

  @Override
  public boolean acknowledges() {
    return false;
  }

  @Override
  public Jid session() {
    return ROMEO;
  }

  @Override
  public long number() {
    return 1;
  }

  @Override
  public void hold() {
    holds++;
  }

  @Override
  public void release() {
    holds--;
  }
}
