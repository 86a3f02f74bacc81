package im.zonda.module.datapolicy;

import im.zonda.config.DataPolicy;
import im.zonda.config.ServerConfig;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.forms.DataForm;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Publishes the configured data policy in the server's service discovery information.
@Xep(
    number = 504,
    version = "0.1.0",
    title = "Data Policy",
    note =
        "For the host itself, not for its rooms and nodes; nothing about authentication and"
            + " transmission, which are for gateways")
public final class DataPolicyModule implements XmppModule {
  private static final String NAMESPACE = "urn:xmpp:data-policy:0";

  @Override
  public String name() {
    return "datapolicy";
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    return before.services().dataPolicy().equals(after.services().dataPolicy());
  }

  @Override
  public void install(ModuleContext context) {
    DataPolicy policy = context.config().services().dataPolicy();
    if (!policy.equals(DataPolicy.DEFAULTS)) {
      context.addForm(form(policy).toElement());
    }
  }

  private static DataForm form(DataPolicy policy) {
    DataForm.Builder form = DataForm.builder("result", NAMESPACE);
    text(form, "data_retention", "Hours for which data is kept", policy.dataRetention());
    form.bool("data_deletion", "Users can delete data", policy.dataDeletion());
    form.bool("encryption_at_rest", "Data is encrypted at rest", policy.encryptionAtRest());
    text(form, "tos", "Terms of service", policy.termsOfService());
    form.bool("data_export", "Users can export their data", policy.dataExport());
    if (!policy.accessPolicy().isEmpty()) {
      form.listMulti("access_policy", "Who can see data", policy.accessPolicy(), Map.of());
    }
    form.bool("full_erasure", "Users can erase their account", policy.fullErasure());
    text(form, "backup_frequency", "Hours between backups", policy.backupFrequency());
    text(form, "backup_retention", "Hours for which backups are kept", policy.backupRetention());
    List<String> more = policy.extraInfo();
    if (!more.isEmpty()) {
      form.field("extra_info", "text-multi", "More information", more, Map.of());
    }
    return form.build();
  }

  private static void text(
      DataForm.Builder form, String field, String label, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      form.text(field, label, value);
    }
  }
}
