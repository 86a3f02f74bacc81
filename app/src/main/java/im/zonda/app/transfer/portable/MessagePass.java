package im.zonda.app.transfer.portable;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedMessages;
import im.zonda.app.transfer.Omission;
import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Reads the messages of a document (XEP-0227, sections 4.5 and 4.9).
final class MessagePass implements UserPass {
  private static final String ARCHIVE = "urn:xmpp:pie:0#mam";
  private static final QName FORWARDED = new QName("urn:xmpp:forward:0", "forwarded");
  private static final QName DELAY = new QName("urn:xmpp:delay", "delay");

  private final ImportSource.Receiver receiver;
  private final InstantSource clock;
  private @Nullable Jid owner;

  MessagePass(ImportSource.Receiver receiver, InstantSource clock) {
    this.receiver = receiver;
    this.clock = clock;
  }

  @Override
  public boolean begin(Jid account, XmlFile file) {
    boolean wanted = receiver.beginMessages(account);
    owner = wanted ? account : null;
    return wanted;
  }

  @Override
  public void child(XmlFile file) throws IOException {
    if (PortableSource.isOfFormat(file) && file.name().equals("offline-messages")) {
      all(file, true);
    } else if (file.namespace().equals(ARCHIVE) && file.name().equals("archive")) {
      all(file, false);
    } else {
      file.skip();
    }
  }

  private void all(XmlFile file, boolean waiting) throws IOException {
    while (file.nextChild()) {
      String where = file.where();
      Jid account = owner;
      try {
        Element element = file.element();
        if (account != null) {
          take(account, element, waiting);
        }
      } catch (BadRecordException e) {
        receiver.omit(
            new Omission(where, "a message of " + account, String.valueOf(e.getMessage())));
      }
    }
  }

  private void take(Jid account, Element element, boolean waiting) throws BadRecordException {
    if (waiting) {
      Instant time = ImportedMessages.delayOf(element);
      receiver.message(
          ImportedMessages.ofAccount(
              account, element, time == null ? clock.instant() : time, true));
      return;
    }
    Element forwarded = element.child(FORWARDED);
    Element delay = forwarded == null ? null : forwarded.child(DELAY);
    Instant time = delay == null ? null : ImportedMessages.time(delay.attribute("stamp"));
    Element message = null;
    for (Element each : forwarded == null ? element.children() : forwarded.children()) {
      message = each.name().name().equals("message") ? each : message;
    }
    if (time == null || message == null) {
      throw new BadRecordException("a result without a message or its time");
    }
    receiver.message(ImportedMessages.ofAccount(account, message, time, false));
  }

  @Override
  public void end() {
    if (owner != null) {
      receiver.endMessages();
      owner = null;
    }
  }

  @Override
  public void abandon() {
    end(); // what was read is valid
  }
}
