package im.zonda.throttle;

import static im.zonda.throttle.Addresses.address;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BannedNetworksTest {
  private final BannedNetworks banned = new BannedNetworks();

  @Test
  void listenersAreCalledWhenTheNetworksHaveChanged() {
    List<List<String>> seen = new ArrayList<>();
    banned.onChange(() -> seen.add(banned.networks()));
    List<String> one = List.of("192.0.2.1");
    banned.set(List.of(), _ -> false);
    banned.set(one, address("192.0.2.1")::equals);
    banned.set(one, address("192.0.2.1")::equals);
    banned.set(List.of(), _ -> false);
    assertThat(seen).containsExactly(one, List.of());
  }

  @Test
  void theMachineItselfIsNeverBanned() {
    banned.set(List.of("::/0"), _ -> true);
    assertThat(banned.contains(address("127.0.0.1"))).isFalse();
    assertThat(banned.contains(address("::1"))).isFalse();
    assertThat(banned.contains(address("2001:db8::1"))).isTrue();
  }
}
