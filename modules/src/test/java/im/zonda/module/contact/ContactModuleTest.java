package im.zonda.module.contact;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import im.zonda.config.copy.RecordCopy;
import im.zonda.module.testing.TestContext;
import im.zonda.xml.Element;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContactModuleTest {
  @Test
  void everyRoleIsTheConfiguredAddresses() {
    Element form = install("mailto:admin@example.org", "xmpp:admin@example.org").getFirst();
    assertThat(form.attribute("type")).isEqualTo("result");
    assertThat(form.children())
        .extracting(field -> field.attribute("var"))
        .containsExactly(
            "FORM_TYPE",
            "abuse-addresses",
            "admin-addresses",
            "security-addresses",
            "support-addresses");
    assertThat(form.children().getFirst().attribute("type")).isEqualTo("hidden");
    assertThat(form.children().getFirst().children().getFirst().text())
        .isEqualTo("http://jabber.org/network/serverinfo");
    assertThat(form.children().getLast().children())
        .extracting(Element::text)
        .containsExactly("mailto:admin@example.org", "xmpp:admin@example.org");
  }

  @Test
  void nothingIsToldWhenNothingIsConfigured() {
    assertThat(install()).isEmpty();
  }

  @Test
  void whatIsNoUriIsLeftOut() {
    assertThat(install("admin at example", "admin@example.org")).isEmpty();
    assertThat(install("admin at example", "mailto:a@example.org").getFirst().children().get(1))
        .extracting(field -> field.children().size())
        .isEqualTo(1);
  }

  private static List<Element> install(String... addresses) {
    ServerConfig d = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
    return install(config(d, d.services(), addresses)).host().forms();
  }

  static TestContext install(ServerConfig config) {
    return new TestContext().config(config).install(new ContactModule());
  }

  static ServerConfig config(ServerConfig d, Services services, String... addresses) {
    return RecordCopy.with(RecordCopy.with(d, "services", services), "contact", List.of(addresses));
  }
}
