package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.util.List;

/// Contact addresses by purpose (XEP-0157), and where the status of the service is published
/// (XEP-0455). An empty list of `abuse`, `admin`, `security` or `support` stands for `contact`.
public record ContactAddresses(
    @Setting(value = "for reports of abuse; if empty, `contact`", form = Form.URI)
        List<String> abuse,
    @Setting(value = "of the administrators; if empty, `contact`", form = Form.URI)
        List<String> admin,
    @Setting(value = "for feedback from customers", form = Form.URI) List<String> feedback,
    @Setting(value = "of sales", form = Form.URI) List<String> sales,
    @Setting(value = "for security concerns; if empty, `contact`", form = Form.URI)
        List<String> security,
    @Setting(value = "with the status of the service, for people", form = Form.URI)
        List<String> status,
    @Setting(value = "for support; if empty, `contact`", form = Form.URI) List<String> support,
    @Setting(
            value =
                "files on another server that tell clients of an outage (XEP-0455), such as"
                    + " `https://status.example.org/xmpp.json`",
            form = Form.URI)
        List<String> externalStatus) {
  /// No addresses of their own.
  public static final ContactAddresses DEFAULTS =
      new ContactAddresses(
          List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

  /// Copies the lists.
  public ContactAddresses {
    abuse = List.copyOf(abuse);
    admin = List.copyOf(admin);
    feedback = List.copyOf(feedback);
    sales = List.copyOf(sales);
    security = List.copyOf(security);
    status = List.copyOf(status);
    support = List.copyOf(support);
    externalStatus = List.copyOf(externalStatus);
  }
}
