package im.zonda.home.remote;

import im.zonda.home.HomeKind;
import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import im.zonda.module.Envelope;
import im.zonda.route.ErrorReplies;
import java.util.function.Consumer;

/// The kind of home that pairs of domains have.
///
/// @param ended receives the pairs whose homes have been unloaded
record DomainPairQueues(RemoteShared shared, Consumer<DomainPair> ended)
    implements HomeKind<DomainPairQueue> {
  @Override
  public DomainPairQueue load(Jid address) {
    String remote = address.resource();
    if (remote == null) {
      throw new IllegalArgumentException("not the address of a pair of domains: " + address);
    }
    DomainPairQueue link =
        new DomainPairQueue(new DomainPair(address.domain(), remote), address, shared);
    link.load();
    return link;
  }

  @Override
  public boolean mayBlock(DomainPairQueue link, Envelope envelope) {
    return link.mayBlock(envelope);
  }

  @Override
  public void accept(DomainPairQueue link, Envelope envelope) {
    link.accept(envelope);
  }

  @Override
  public boolean failed(Envelope envelope, Throwable cause) {
    if (ErrorReplies.isOver(cause)) {
      return false;
    }
    ErrorReplies errors = shared.setup().routes().errors();
    new RemoteErrors(errors).reject(envelope, ErrorReplies.errorFor(cause).condition());
    return !ErrorReplies.isUndelivered(envelope, cause);
  }

  @Override
  public boolean canUnload(DomainPairQueue link) {
    return link.canUnload();
  }

  @Override
  public void unloaded(DomainPairQueue link) {
    link.unloaded();
    ended.accept(link.pair());
  }
}
