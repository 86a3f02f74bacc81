package im.zonda.module.testing;

import im.zonda.bytestream.Bytestreams;
import im.zonda.jid.Jid;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A proxy without connections: answers what the test wants, and keeps what it was asked.
public final class TestBytestreams implements Bytestreams {
  private final List<String> asked = new ArrayList<>();
  private Activation answer = Activation.NOT_CONNECTED;
  private int port = 1080;

  /// Each activation is answered so.
  public void answer(Activation outcome) {
    answer = outcome;
  }

  /// The proxy listens at that port.
  public void listen(int at) {
    port = at;
  }

  /// The activations so far: address and account.
  public List<String> asked() {
    return List.copyOf(asked);
  }

  @Override
  public void activate(String address, Jid requester, Consumer<Activation> done) {
    asked.add(address + " " + requester);
    done.accept(answer);
  }

  @Override
  public int port() {
    return port;
  }
}
