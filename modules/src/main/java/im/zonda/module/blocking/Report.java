package im.zonda.module.blocking;

import im.zonda.jid.Jid;
import im.zonda.module.admin.AdminModule;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A report in a block request (XEP-0377): it is logged, and forwarded to the administrators. An
/// invalid report is ignored and does not affect the block.
final class Report {
  static final String NAMESPACE = "urn:xmpp:reporting:1";

  private static final Logger log = LoggerFactory.getLogger(Report.class);
  private static final QName REPORT = new QName(NAMESPACE, "report");
  private static final String SPAM = "urn:xmpp:reporting:spam";
  private static final String ABUSE = "urn:xmpp:reporting:abuse";

  private Report() {}

  /// Logs the report in that item, if there is one, without its text, and forwards it.
  static void accept(Element item, Jid reporter, AdminModule admins) {
    Element report = item.child(REPORT);
    if (report == null) {
      return;
    }
    String reason = report.attribute("reason");
    if (!SPAM.equals(reason) && !ABUSE.equals(reason)) {
      log.atDebug().addKeyValue("by", reporter).log("report_without_a_known_reason");
      return;
    }
    long messages =
        report.children().stream().filter(child -> child.name().equals(StanzaIds.NAME)).count();
    log.atInfo()
        .addKeyValue("reported", item.attribute("jid"))
        .addKeyValue("by", reporter)
        .addKeyValue("reason", SPAM.equals(reason) ? "spam" : "abuse")
        .addKeyValue("messages", messages)
        .log("account_reported");
    admins.forwardReport(
        reporter,
        Jid.of(Objects.requireNonNull(item.attribute("jid"))),
        SPAM.equals(reason) ? "spam" : "abuse",
        report);
  }
}
