package im.zonda.edge;

import im.zonda.link.LinkFormatException;
import java.util.ArrayList;
import java.util.List;

/// The connection of an edge to a core: keeps what the edge sends, and is never full.
class TestWire implements EdgeWire {
  final List<ToCore> sent = new ArrayList<>();

  /// Why the edge has closed the connection, each time.
  final List<String> closed = new ArrayList<>();

  private final EdgeCodec form = new EdgeCodec();

  @Override
  public void send(byte[] frame) {
    try {
      sent.add(form.readToCore(frame));
    } catch (LinkFormatException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public long now() {
    return 0;
  }

  @Override
  public void close(String reason) {
    closed.add(reason);
  }

  @Override
  public void finish() {}
}
