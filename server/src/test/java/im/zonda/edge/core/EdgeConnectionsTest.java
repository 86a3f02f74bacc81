package im.zonda.edge.core;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.limits.Limits;
import im.zonda.edge.EdgeCodec;
import im.zonda.edge.EdgeWire;
import im.zonda.edge.ToCore;
import im.zonda.edge.ToEdge;
import im.zonda.link.LinkFormatException;
import im.zonda.stream.client.StreamContext;
import im.zonda.stream.client.StreamFixture;
import im.zonda.throttle.BannedNetworks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EdgeConnectionsTest {
  private final StreamFixture fixture = new StreamFixture();
  private final StreamContext context = fixture.context(Limits.defaults(), true, Runnable::run);
  private final BannedNetworks banned = context.sasl().throttle().banned();
  private final EdgeConnections edges =
      new EdgeConnections(
          context,
          fixture.gate,
          new EdgeConnections.Basis(
              new byte[32], HomeProcesses.one("process"), () -> Instant.EPOCH),
          10);

  /// The connection to an edge: keeps what the core sends.
  private static final class Wire implements EdgeWire {
    final List<ToEdge> sent = new ArrayList<>();
    final List<String> closed = new ArrayList<>();

    @Override
    public void send(byte[] frame) {
      try {
        sent.add(new EdgeCodec().readToEdge(frame));
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

  @Test
  void edgesAreSentTheBansWhenTheyConnectAndWhenTheyChange() {
    Wire before = new Wire();
    EdgeWire.Handler _ = edges.accept(before, "edge1");
    assertThat(before.sent).as("an edge of a former version knows no bans").isEmpty();
    List<String> networks = List.of("192.0.2.0/24");
    banned.set(networks, _ -> true);
    assertThat(before.sent).containsExactly(new ToEdge.Banned(networks));
    Wire after = new Wire();
    EdgeWire.Handler gone = edges.accept(after, "edge2");
    assertThat(after.sent).containsExactly(new ToEdge.Banned(networks));
    gone.ended();
    banned.set(List.of(), _ -> false);
    assertThat(before.sent).last().isEqualTo(new ToEdge.Banned(List.of()));
    assertThat(after.sent).hasSize(1);
  }

  @Test
  void aKindOfALaterVersionIsIgnored() {
    Wire wire = new Wire();
    EdgeWire.Handler edge = edges.accept(wire, "edge");
    byte[] later = EdgeCodec.write(new ToCore.Alive());
    later[1] = EdgeCodec.LAST_FOR_CORE + 1;
    edge.received(later);
    assertThat(wire.closed).isEmpty();
    later[0]++;
    later[1] = 1;
    edge.received(later);
    assertThat(wire.closed).as("another version").hasSize(1);
  }
}
