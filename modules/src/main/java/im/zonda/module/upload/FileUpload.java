package im.zonda.module.upload;

import im.zonda.file.FileContents;
import im.zonda.http.HttpBody;
import im.zonda.http.HttpException;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.module.ModuleContext;
import im.zonda.store.StoreException;
import im.zonda.store.UploadStore;
import im.zonda.store.UploadStore.Upload;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes files (XEP-0363, section 7). A file is never in memory as a whole.
final class FileUpload {
  private static final Logger LOG = LoggerFactory.getLogger(FileUpload.class);
  private static final int PART_BYTES = 65_536;
  private static final String RETRY_SECONDS = "60";

  private final ModuleContext context;
  private final SlotUrls urls;
  private final Quota quota;
  private final UploadStore uploads;
  private final FileContents contents;
  private final UploadMeters meters;

  FileUpload(
      ModuleContext context,
      SlotUrls urls,
      Quota quota,
      UploadStore uploads,
      FileContents contents,
      UploadMeters meters) {
    this.context = context;
    this.urls = urls;
    this.quota = quota;
    this.uploads = uploads;
    this.contents = contents;
    this.meters = meters;
  }

  /// Stores the file of a slot; 201 is answered when it is durable.
  HttpResponse put(HttpRequest request) throws IOException {
    Slot slot = slot(request);
    try {
      if (uploads.find(slot.id()) != null) {
        throw new HttpException(409, "This slot has its file already");
      }
      switch (quota.reserve(slot)) {
        case RESERVED -> {}
        case SAME_SLOT -> throw new HttpException(409, "This slot is used by another upload");
        case ACCOUNT_BUSY, HOST_BUSY -> {
          return HttpResponse.text(503, "There are too many uploads at once")
              .with("Retry-After", RETRY_SECONDS);
        }
        case EXCEEDED -> throw new HttpException(413, "The quota of the account is reached");
      }
      try {
        store(request, slot);
      } finally {
        quota.release(slot);
      }
      meters.count(slot);
      quota.used(slot);
      quota.trim(slot.owner());
    } catch (StoreException e) {
      throw failed(e);
    }
    return HttpResponse.empty(201);
  }

  private static HttpException failed(StoreException e) {
    LOG.atWarn().setCause(e).log("upload_not_stored");
    return e.category() == StoreException.Category.FULL
        ? new HttpException(507, "There is no room for this file")
        : new HttpException(503, "Files cannot be stored at the moment");
  }

  /// The slot of a request that keeps to it.
  private Slot slot(HttpRequest request) {
    Slot slot = urls.read(request);
    if (slot == null || !slot.owner().domain().equals(context.domain().domain())) {
      throw new HttpException(403, "This is not the address of a slot");
    }
    if (context.clock().instant().isAfter(slot.valid())) {
      throw new HttpException(403, "This slot is no longer valid");
    }
    long length = request.body().length();
    if (length < 0) {
      throw new HttpException(411, "The length of the file must be given");
    }
    if (length != slot.size()) {
      throw new HttpException(
          length > slot.size() ? 413 : 400, "The slot is for " + slot.size() + " bytes");
    }
    // What is encoded has another size when it is decoded, and nothing here decodes it.
    String encoding = request.header("Content-Encoding");
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw new HttpException(415, "The file must not be encoded");
    }
    String given = request.header("Content-Type");
    if (slot.type() != null && given != null && !slot.type().equals(MediaTypes.read(given))) {
      throw new HttpException(415, "The slot is for the type " + slot.type());
    }
    return slot;
  }

  private void store(HttpRequest request, Slot slot) throws IOException {
    String hash;
    try (FileContents.Incoming file = contents.begin(slot.size())) {
      byte[] part = new byte[(int) Math.min(PART_BYTES, slot.size())];
      long received = 0;
      HttpBody body = request.body();
      for (int n = read(body, part); n >= 0; n = read(body, part)) {
        file.append(part, 0, n);
        received += n;
      }
      if (received != slot.size()) {
        throw new HttpException(400, "The slot is for " + slot.size() + " bytes");
      }
      hash = file.finish();
    }
    Instant now = context.clock().instant().truncatedTo(ChronoUnit.MICROS);
    boolean added;
    try {
      added =
          uploads.add(
              new Upload(
                  slot.id(),
                  slot.owner(),
                  slot.name(),
                  type(slot, request.header("Content-Type")),
                  slot.size(),
                  hash,
                  now,
                  slot.expires()));
    } catch (IllegalStateException e) {
      throw new HttpException(403, "The account no longer exists");
    }
    if (!added) {
      throw new HttpException(409, "This slot has its file already");
    }
  }

  private static int read(HttpBody body, byte[] part) throws IOException {
    return body.read(part, 0, part.length);
  }

  private static String type(Slot slot, @Nullable String given) {
    if (slot.type() != null) {
      return slot.type();
    }
    String type = given == null ? null : MediaTypes.read(given);
    return type == null ? MediaTypes.UNKNOWN : type;
  }
}
