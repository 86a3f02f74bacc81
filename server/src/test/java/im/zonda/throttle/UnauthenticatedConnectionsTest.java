package im.zonda.throttle;

import static im.zonda.throttle.Addresses.address;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

final class UnauthenticatedConnectionsTest {
  private static final InetAddress FLOOD = address("192.0.2.66");
  private static final InetAddress OTHER = address("198.51.100.1");

  private final UnauthenticatedConnections<String> connections =
      new UnauthenticatedConnections<>(4);

  @Test
  void row29_theAddressWithTheMostLosesItsNewest() {
    for (int i = 0; i < 4; i++) {
      assertThat(connections.enter(FLOOD, "flood" + i)).isNull();
    }

    assertThat(connections.enter(FLOOD, "flood4")).isEqualTo("flood4");
    assertThat(connections.enter(OTHER, "other")).isEqualTo("flood3");
    assertThat(connections.enter(FLOOD, "flood5")).isEqualTo("flood5");
    assertThat(connections.size()).isEqualTo(4);
  }

  @Test
  void row29_amongEqualsTheOldestGoes() {
    for (int i = 0; i < 4; i++) {
      connections.enter(address(i), "flood" + i);
    }

    assertThat(connections.enter(OTHER, "other")).isEqualTo("flood0");
    assertThat(connections.enter(address(9), "flood9")).isEqualTo("flood1");
  }

  @Test
  void whoHasAuthenticatedDoesNotCount() {
    for (int i = 0; i < 4; i++) {
      connections.enter(FLOOD, "flood" + i);
    }
    connections.leave(FLOOD, "flood0");
    connections.leave(FLOOD, "flood0");
    assertThat(connections.size()).isEqualTo(3);

    assertThat(connections.enter(OTHER, "other")).isNull();
    for (int i = 1; i < 4; i++) {
      connections.leave(FLOOD, "flood" + i);
    }
    connections.leave(OTHER, "other");
    assertThat(connections.size()).isZero();
  }
}
