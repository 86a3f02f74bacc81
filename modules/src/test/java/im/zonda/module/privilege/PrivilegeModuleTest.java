package im.zonda.module.privilege;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.component.ComponentPrivilege;
import im.zonda.config.component.ComponentPrivilege.Access;
import im.zonda.config.component.ComponentPrivilege.Messages;
import im.zonda.config.component.ComponentPrivilege.PresenceOf;
import im.zonda.module.testing.TestXml;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Announcements to components. Their permissions are in the scenarios.
class PrivilegeModuleTest {
  private static ComponentPrivilege rights(Access roster, boolean push) {
    return new ComponentPrivilege(
        List.of(), roster, push, Messages.NONE, PresenceOf.NONE, List.of(), List.of());
  }

  @Test
  void onlyWhatIsPermittedIsNamed() {
    assertThat(PrivilegeXml.permissions(rights(Access.SET, true), false))
        .isEqualTo(
            TestXml.element(
                "<privilege xmlns='urn:xmpp:privilege:2'>"
                    + "<perm access='roster' type='set' push='false'/></privilege>"));
    assertThat(PrivilegeXml.permissions(rights(Access.GET, true), false))
        .isEqualTo(
            TestXml.element(
                "<privilege xmlns='urn:xmpp:privilege:2'>"
                    + "<perm access='roster' type='get' push='true'/></privilege>"));
    assertThat(PrivilegeXml.permissions(rights(Access.GET, false), false))
        .isEqualTo(
            TestXml.element(
                "<privilege xmlns='urn:xmpp:privilege:2'>"
                    + "<perm access='roster' type='get' push='false'/></privilege>"));
  }

  @Test
  void aChangeNamesWhatIsNotPermittedToo() {
    assertThat(PrivilegeXml.permissions(ComponentPrivilege.NONE, true))
        .isEqualTo(
            TestXml.element(
                "<privilege xmlns='urn:xmpp:privilege:2'>"
                    + "<perm access='roster' type='none' push='false'/>"
                    + "<perm access='message' type='none'/>"
                    + "<perm access='iq'/>"
                    + "<perm access='presence' type='none'/></privilege>"));
  }
}
