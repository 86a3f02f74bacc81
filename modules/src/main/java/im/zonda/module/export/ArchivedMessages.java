package im.zonda.module.export;

import im.zonda.jid.Jid;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/// The archive of an account or a room as results of a query (XEP-0227, section 4.9), the oldest
/// first.
record ArchivedMessages(MessageArchive archive, StanzaIds ids) {
  static final QName DELAY = new QName("urn:xmpp:delay", "delay");
  private static final String ARCHIVE = "urn:xmpp:pie:0#mam";
  private static final String MAM = "urn:xmpp:mam:2";
  private static final QName FORWARDED = new QName("urn:xmpp:forward:0", "forwarded");
  private static final DateTimeFormatter STAMP =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  /// What is read at a time.
  static final int PORTION = 100;

  static final long PORTION_BYTES = 524_288;

  /// The text of a time.
  static String stamp(Instant time) {
    return STAMP.format(time);
  }

  void write(Jid owner, DocumentWriter out) throws IOException {
    MessageArchive.Portion portion = new MessageArchive.Portion(false, PORTION, PORTION_BYTES);
    out.begin("archive", ARCHIVE);
    long from = Long.MIN_VALUE;
    while (true) {
      MessageArchive.Filter filter =
          new MessageArchive.Filter(null, from, Long.MAX_VALUE, null, null);
      MessageArchive.Page page = archive.page(owner, filter, portion);
      for (MessageLog.Entry entry : page.entries()) {
        from = entry.id() + 1;
        out.write(result(owner, entry));
      }
      if (page.complete() || page.entries().isEmpty()) {
        break;
      }
    }
    out.end();
  }

  private Element result(Jid owner, MessageLog.Entry entry) {
    return Element.builder(MAM, "result")
        .attribute("id", ids.ofStored(entry.message(), owner, entry.id()))
        .child(
            Element.builder(FORWARDED)
                .child(delay(entry))
                .child(entry.message().toElement())
                .build())
        .build();
  }

  static Element delay(MessageLog.Entry entry) {
    return Element.builder(DELAY).attribute("stamp", stamp(entry.time())).build();
  }
}
