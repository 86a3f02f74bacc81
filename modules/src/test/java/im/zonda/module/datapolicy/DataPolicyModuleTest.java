package im.zonda.module.datapolicy;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.DataPolicy;
import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.Host;
import im.zonda.config.Services;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.xml.Element;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DataPolicyModuleTest {
  private static final DataPolicy ALL =
      new DataPolicy(
          "https://example.org/terms",
          "720",
          true,
          false,
          true,
          false,
          List.of("admins", "government"),
          "24",
          "infinite",
          List.of("Backups are encrypted.", "Ask us."));

  @Test
  void everyFieldHasTheTypeOfItsText() {
    assertThat(forms(ALL))
        .containsExactly(
            TestXml.element(
                "<x xmlns='jabber:x:data' type='result'>"
                    + "<field var='FORM_TYPE' type='hidden'><value>urn:xmpp:data-policy:0</value>"
                    + "</field>"
                    + field("data_retention", "text-single", "Hours for which data is kept", "720")
                    + field("data_deletion", "boolean", "Users can delete data", "1")
                    + field("encryption_at_rest", "boolean", "Data is encrypted at rest", "0")
                    + field("tos", "text-single", "Terms of service", "https://example.org/terms")
                    + field("data_export", "boolean", "Users can export their data", "0")
                    + field(
                        "access_policy",
                        "list-multi",
                        "Who can see data",
                        "admins</value><value>government")
                    + field("full_erasure", "boolean", "Users can erase their account", "1")
                    + field("backup_frequency", "text-single", "Hours between backups", "24")
                    + field(
                        "backup_retention",
                        "text-single",
                        "Hours for which backups are kept",
                        "infinite")
                    + field(
                        "extra_info",
                        "text-multi",
                        "More information",
                        "Backups are encrypted.</value><value>Ask us.")
                    + "</x>"));
  }

  @Test
  void nothingIsPublishedUnlessAKeyIsSet() {
    assertThat(forms(DataPolicy.DEFAULTS)).isEmpty();
  }

  @Test
  void aTextThatIsNotSetIsLeftOut() {
    DataPolicy one =
        new DataPolicy(null, "", true, false, false, false, List.of(), "", "", List.of());
    assertThat(forms(one).getFirst().children())
        .extracting(field -> field.attribute("var"))
        .containsExactly(
            "FORM_TYPE", "data_deletion", "encryption_at_rest", "data_export", "full_erasure");
  }

  private static String field(String name, String type, String label, String values) {
    return "<field var='%s' type='%s' label='%s'><value>%s</value></field>"
        .formatted(name, type, label, values);
  }

  private static List<Element> forms(DataPolicy policy) {
    TestContext context = new TestContext();
    Host host = new Host(null, null, null, Services.DEFAULTS.with(policy), null, null, null, null);
    ServerConfig config = context.config().withHosts(Map.of("example.org", host));
    context.config(config.at("example.org")).install(new DataPolicyModule());
    return context.host().forms();
  }
}
