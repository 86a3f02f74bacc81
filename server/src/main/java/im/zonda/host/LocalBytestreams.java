package im.zonda.host;

import im.zonda.bytestream.Bytestreams;
import im.zonda.jid.Jid;
import org.jspecify.annotations.Nullable;

/// The bytestreams proxy of this process, once it is known.
final class LocalBytestreams implements Bytestreams {
  private volatile @Nullable Bytestreams proxy;

  void set(Bytestreams started) {
    proxy = started;
  }

  @Override
  public Activation activate(String address, Jid requester) {
    Bytestreams known = proxy;
    return known == null ? Activation.NOT_CONNECTED : known.activate(address, requester);
  }

  @Override
  public int port() {
    Bytestreams known = proxy;
    return known == null ? 0 : known.port();
  }
}
