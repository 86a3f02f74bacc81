package im.zonda.config.accounts;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Accounts of a service that answers by HTTP.
public record HttpAccounts(
    @Setting(
            value = "address of the service; `http://` for one of this machine only; must be set",
            form = Form.URI)
        String url,
    @Setting(
            value =
                "secret by which questions are signed; with `mongooseim` the name and the password that"
                    + " the service wants (HTTP Basic), as `name:password`",
            form = Form.SECRET)
        @Nullable String secret,
    @Setting("PEM file with the authorities that are trusted; without it those of Java")
        @Nullable Path authorities,
    @Setting("form of questions: `zonda`, or `mongooseim` for services written for that server")
        Style style,
    @Setting("whether the service can give SCRAM keys, so that passwords need not be shown")
        boolean scram) {
  /// Nothing is set.
  public static final HttpAccounts NONE = new HttpAccounts("", null, null, Style.ZONDA, false);

  /// The form of questions.
  public enum Style {
    ZONDA,
    MONGOOSEIM
  }

  /// Without the secret.
  @Override
  public String toString() {
    return "HttpAccounts[url=" + url + ", style=" + style + "]";
  }
}
