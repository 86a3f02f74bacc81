package im.zonda.module.admin.home;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Forwards reports of abuse (XEP-0377) to the administrators, as messages that wait for those who
/// are offline, and keeps them until they are closed. How many is bounded for each reporter, and
/// for all together by a multiple of that. Safe for use by several threads.
public final class Reports {
  private static final Logger LOG = LoggerFactory.getLogger(Reports.class);
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");
  private static final QName SUBJECT = new QName(Namespaces.CLIENT, "subject");
  private static final QName REPORTED = new QName("urn:xmpp:jid:0", "jid");
  private static final Duration PERIOD = Duration.ofHours(1);

  /// How many reporters may have all their reports forwarded.
  private static final int REPORTERS = 20;

  private final ModuleContext context;
  private final Admins admins;
  private final ReportQueue queue;

  // Guarded by this object's monitor.
  private final Map<Jid, Integer> counts = new HashMap<>();
  private Instant periodEnd = Instant.EPOCH;
  private int all;

  /// @param queue keeps what is forwarded
  public Reports(ModuleContext context, Admins admins, ReportQueue queue) {
    this.context = context;
    this.admins = admins;
    this.queue = queue;
  }

  /// Forwards a report.
  ///
  /// @param reported who is reported
  /// @param reason a word for people
  /// @param report the `<report/>`
  public void forward(Jid reporter, Jid reported, String reason, Element report) {
    if (!mayForward(reporter.bare())) {
      return;
    }
    StringJoiner text = new StringJoiner("\n");
    for (Element child : report.children()) {
      if (child.name().name().equals("text")) {
        text.add(child.text().strip());
      }
    }
    try {
      queue.add(reporter, reported, reason, text.toString());
    } catch (StoreException e) {
      // It is forwarded all the same, and the block that it comes with is done.
      LOG.atWarn().addKeyValue("reported", reported).setCause(e).log("report_not_kept");
    }
    String body =
        reporter.bare()
            + " reports "
            + reported
            + " for "
            + reason
            + "."
            + (text.length() == 0 ? "" : "\n" + text);
    for (Jid admin : admins.all()) {
      context.send(
          Message.of(
              Message.Type.NORMAL,
              context.domain(),
              admin,
              context.ids().next(),
              List.of(
                  Element.text(SUBJECT, "Report of " + reason),
                  Element.text(BODY, body),
                  report,
                  Element.text(REPORTED, reported.toString()))));
    }
  }

  private synchronized boolean mayForward(Jid reporter) {
    int most = context.config().services().administration().reportsPerHour();
    Instant now = context.clock().instant();
    if (!now.isBefore(periodEnd)) {
      counts.clear();
      all = 0;
      periodEnd = now.plus(PERIOD);
    }
    if (all >= most * (long) REPORTERS || counts.getOrDefault(reporter, 0) >= most) {
      return false;
    }
    all++;
    counts.merge(reporter, 1, Integer::sum);
    return true;
  }
}
