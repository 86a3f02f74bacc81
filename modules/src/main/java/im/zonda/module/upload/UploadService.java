package im.zonda.module.upload;

import im.zonda.config.Uploads;
import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.disco.RequestService;
import im.zonda.module.forms.DataForm;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.store.UploadStore;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The domain that gives slots (XEP-0363, sections 3 to 6).
final class UploadService implements RequestService.Requests {
  private static final String NAMESPACE = "urn:xmpp:http:upload:0";
  private static final String PURPOSES = "urn:xmpp:http:upload:purpose:0";
  private static final QName REQUEST = new QName(NAMESPACE, "request");
  private static final QName EPHEMERAL = new QName(PURPOSES, "ephemeral");

  /// Section 8: there is no reason to wait between the request and the upload.
  private static final Duration VALID = Duration.ofMinutes(5);

  private final ModuleContext context;
  private final Quota quota;
  private final SlotUrls urls;

  UploadService(ModuleContext context, Quota quota, SlotUrls urls) {
    this.context = context;
    this.quota = quota;
    this.urls = urls;
  }

  /// What the service says of itself.
  static RequestService.Identity identity(Uploads settings) {
    Element form =
        DataForm.builder("result", NAMESPACE)
            .field(
                "max-file-size",
                null,
                null,
                List.of(Long.toString(settings.maxFileBytes())),
                Map.of())
            .build()
            .toElement();
    return new RequestService.Identity(
        "HTTP File Upload",
        "store",
        "file",
        List.of(NAMESPACE, PURPOSES + "#message", PURPOSES + "#ephemeral"),
        List.of(form));
  }

  @Override
  public IqReply answer(Iq iq, Element payload) {
    if (iq.type() != Iq.Type.GET || !payload.name().equals(REQUEST)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    Jid from = iq.from();
    if (from == null || from.local() == null || !from.domain().equals(context.domain().domain())) {
      return IqReply.refuse(
          ErrorCondition.FORBIDDEN, "Only accounts of this host are allowed to upload files");
    }
    String named = payload.attribute("filename");
    if (named != null
        && named.getBytes(StandardCharsets.UTF_8).length > UploadStore.MAX_NAME_BYTES) {
      return IqReply.refuse(
          ErrorCondition.BAD_REQUEST,
          "The file name may have at most " + UploadStore.MAX_NAME_BYTES + " bytes of UTF-8");
    }
    String name = name(named);
    Long size = size(payload.attribute("size"));
    if (name == null || size == null) {
      return IqReply.refuse(
          ErrorCondition.BAD_REQUEST, "A file name and a size in bytes are needed");
    }
    String given = payload.attribute("content-type");
    String type = given == null || given.isEmpty() ? null : MediaTypes.read(given);
    if (type == null && given != null && !given.isEmpty()) {
      return IqReply.refuse(ErrorCondition.BAD_REQUEST, "This is not a content type");
    }
    return slot(iq, from.bare(), new Wanted(name, size, type), payload);
  }

  /// The file that is to be uploaded.
  private record Wanted(String name, long size, @Nullable String type) {}

  private IqReply slot(Iq iq, Jid owner, Wanted wanted, Element request) {
    Instant now = context.clock().instant();
    Instant expires = null;
    Element ephemeral = request.child(EPHEMERAL);
    if (ephemeral != null) {
      expires = time(ephemeral.attribute("expire-before"));
      if (expires == null || !expires.isAfter(now)) {
        return IqReply.refuse(
            ErrorCondition.BAD_REQUEST, "expire-before must be a time in the future");
      }
    }
    long most = context.config().services().uploads().maxFileBytes();
    if (wanted.size() > most) {
      note(iq, Reason.FILE_TOO_LARGE, Long.toString(most));
      return tooLarge(most);
    }
    Quota.Exceeded exceeded = quota.check(owner, wanted.size());
    if (exceeded != null) {
      note(iq, Reason.FILES_FULL, exceeded.text());
      return wait(exceeded);
    }
    Slot slot =
        new Slot(
            context.ids().next(),
            owner,
            wanted.name(),
            wanted.size(),
            wanted.type(),
            now.plus(VALID),
            expires);
    Quota.Exceeded tooMany = quota.open(slot);
    if (tooMany != null) {
      note(iq, Reason.FILES_FULL, tooMany.text());
      return wait(tooMany);
    }
    return IqReply.result(
        Element.builder(NAMESPACE, "slot")
            .child(url("put", SlotUrls.url(context, urls.uploadPath(slot))))
            .child(url("get", SlotUrls.url(context, SlotUrls.path(slot))))
            .build());
  }

  private void note(Iq iq, Reason reason, String detail) {
    context.port(Journal.class).record(Journal.Entry.of(Place.HOME, reason, iq).withDetail(detail));
  }

  private static Element url(String name, String url) {
    return Element.builder(NAMESPACE, name).attribute("url", url).build();
  }

  /// The name without what a path or a header field cannot have; null if it is none.
  private static @Nullable String name(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return null;
    }
    StringBuilder name = new StringBuilder(text.strip());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '/' || c == '\\' || Character.isISOControl(c) || isDirection(c)) {
        name.setCharAt(i, '_');
      }
    }
    String result = name.toString();
    return result.equals(".") || result.equals("..") ? "_" : result;
  }

  /// Characters that reorder a text, by which `exe.jpg` could be shown for `gpj.exe`.
  private static boolean isDirection(char c) {
    return (c >= '\u202A' && c <= '\u202E') || (c >= '\u2066' && c <= '\u2069');
  }

  private static @Nullable Long size(@Nullable String text) {
    boolean digits =
        text != null
            && !text.isEmpty()
            && text.length() <= 18
            && text.chars().allMatch(c -> c >= '0' && c <= '9');
    long size = digits ? Long.parseLong(text) : 0;
    return size > 0 ? size : null;
  }

  private static @Nullable Instant time(@Nullable String text) {
    try {
      return text == null
          ? null
          : OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.SECONDS);
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private static IqReply tooLarge(long most) {
    Element detail =
        Element.builder(NAMESPACE, "file-too-large")
            .child("max-file-size", Long.toString(most))
            .build();
    return new IqReply.Refuse(
        StanzaError.of(ErrorCondition.NOT_ACCEPTABLE)
            .withText("File too large. The maximum file size is " + most + " bytes")
            .withDetail(detail));
  }

  private static IqReply wait(Quota.Exceeded exceeded) {
    String stamp = exceeded.retry().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1).toString();
    return new IqReply.Refuse(
        StanzaError.of(ErrorCondition.RESOURCE_CONSTRAINT)
            .withText(exceeded.text())
            .withDetail(Element.builder(NAMESPACE, "retry").attribute("stamp", stamp).build()));
  }
}
