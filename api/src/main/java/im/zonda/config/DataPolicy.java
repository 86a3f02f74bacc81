package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operator's statements about the users' data (XEP-0504). It is published if a key is set; the
/// server checks none of it.
public record DataPolicy(
    @Setting(value = "the terms of service", form = Form.URI) @Nullable String termsOfService,
    @Setting(
            "for how many hours data is kept at most, or \"infinite\" or \"unknown\"; if empty,"
                + " this is not published")
        String dataRetention,
    @Setting("whether users can delete data themselves") boolean dataDeletion,
    @Setting("whether users can export all their data") boolean dataExport,
    @Setting("whether users can erase their account with all data") boolean fullErasure,
    @Setting("whether the data is encrypted where it is stored") boolean encryptionAtRest,
    @Setting(
            "who can see the data: \"admins\", \"moderators\", \"organization_member\","
                + " \"government\", \"advertisers\", \"partners\", or \"none\" alone")
        List<String> accessPolicy,
    @Setting("the most hours between backups, 0 if there are none; if empty, this is not published")
        String backupFrequency,
    @Setting(
            "for how many hours backups are kept, or \"infinite\" or \"unknown\"; if empty, this is"
                + " not published")
        String backupRetention,
    @Setting("more information for people, line by line") List<String> extraInfo) {
  /// Nothing is published.
  public static final DataPolicy DEFAULTS =
      new DataPolicy(null, "", false, false, false, false, List.of(), "", "", List.of());

  /// Copies the lists.
  public DataPolicy {
    accessPolicy = List.copyOf(accessPolicy);
    extraInfo = List.copyOf(extraInfo);
  }
}
