package im.zonda.module.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.component.ComponentDelegation;
import im.zonda.module.Addressee;
import im.zonda.module.testing.TestXml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Which requests are delegated. What happens to them is in the scenarios.
class DelegationModuleTest {
  private static boolean delegated(String namespace, String payload, Addressee addressee) {
    Delegations delegations =
        new Delegations(
            Map.of("pubsub.example.org", new ComponentDelegation(List.of(), List.of(namespace))));
    return delegations.find(TestXml.element(payload), addressee) != null;
  }

  @Test
  void requestsMustHaveAllAttributes() {
    assertThat(delegated("x a b", "<q xmlns='x' a='1' b=''/>", Addressee.SERVER)).isTrue();
    assertThat(delegated("x a b", "<q xmlns='x' a='1'/>", Addressee.SERVER)).isFalse();
    assertThat(delegated("x", "<q xmlns='x'/>", Addressee.OTHER_ACCOUNT)).isTrue();
    assertThat(delegated("x", "<q xmlns='y'/>", Addressee.OTHER_ACCOUNT)).isFalse();
  }

  @Test
  void serviceDiscoveryOfAccountsOnly() {
    String info = "http://jabber.org/protocol/disco#info";
    String node = "<query xmlns='" + info + "' node='n'/>";
    String noNode = "<query xmlns='" + info + "'/>";
    assertThat(delegated(Delegations.BARE_INFO, node, Addressee.OWN_ACCOUNT)).isTrue();
    assertThat(delegated(Delegations.BARE_INFO, node, Addressee.OTHER_ACCOUNT)).isTrue();
    assertThat(delegated(Delegations.BARE_INFO, node, Addressee.SERVER)).isFalse();
    assertThat(delegated(Delegations.BARE_INFO, noNode, Addressee.OWN_ACCOUNT)).isFalse();
    String items = "<query xmlns='http://jabber.org/protocol/disco#items'/>";
    assertThat(delegated(Delegations.BARE_ITEMS, items, Addressee.OWN_ACCOUNT)).isTrue();
    assertThat(delegated(Delegations.BARE_ITEMS, items, Addressee.SERVER)).isFalse();
  }
}
