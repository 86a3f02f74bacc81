package im.zonda.module.upload;

import im.zonda.file.FileContents;
import im.zonda.http.HttpContent;
import im.zonda.http.HttpException;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.module.ModuleContext;
import im.zonda.store.StoreException;
import im.zonda.store.UploadStore;
import im.zonda.store.UploadStore.Upload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves files to anyone who knows their address. A file never changes, so its hash is its entity
/// tag and it may be kept for as long as it exists.
final class FileDownload {
  private static final Logger LOG = LoggerFactory.getLogger(FileDownload.class);
  private static final Duration MAX_AGE = Duration.ofDays(365);

  /// Nothing of a file is run, even if a browser takes it for a document.
  private static final String POLICY =
      "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline';"
          + " frame-ancestors 'none'";

  private final ModuleContext context;
  private final UploadStore uploads;
  private final FileContents contents;

  FileDownload(ModuleContext context, UploadStore uploads, FileContents contents) {
    this.context = context;
    this.uploads = uploads;
    this.contents = contents;
  }

  /// The file, or a part of it.
  HttpResponse get(HttpRequest request) {
    Upload file = find(request.path());
    String tag = '"' + file.hash() + '"';
    if (matches(request.header("If-None-Match"), tag)) {
      return cached(HttpResponse.empty(304), file, tag);
    }
    String ifRange = request.header("If-Range");
    ByteRange range =
        ifRange == null || ifRange.equals(tag)
            ? ByteRange.of(request.header("Range"), file.size())
            : null;
    if (range != null && range.length() == 0) {
      return HttpResponse.text(416, "The file has " + file.size() + " bytes")
          .with("Content-Range", range.header(file.size()));
    }
    HttpResponse response = content(file, range);
    return cached(response, file, tag)
        .with("Accept-Ranges", "bytes")
        .with("Content-Disposition", disposition(file))
        .with("Content-Security-Policy", POLICY)
        .with("X-Content-Type-Options", "nosniff")
        .with("Cross-Origin-Resource-Policy", "cross-origin");
  }

  private Upload find(String path) {
    SlotUrls.Place place = SlotUrls.Place.of(path);
    Upload file;
    try {
      file = place == null ? null : uploads.find(place.id());
    } catch (StoreException e) {
      throw unavailable(e);
    }
    if (place == null || file == null || !file.name().equals(place.name()) || !isServed(file)) {
      throw absent();
    }
    return file;
  }

  private static HttpException unavailable(StoreException e) {
    LOG.atWarn().setCause(e).log("upload_not_read");
    return new HttpException(503, "Files cannot be read at the moment");
  }

  private static HttpException absent() {
    return new HttpException(404, "There is no such file");
  }

  private boolean isServed(Upload file) {
    Instant expires = file.expires();
    return file.owner().domain().equals(context.domain().domain())
        && (expires == null || expires.isAfter(context.clock().instant()));
  }

  private HttpResponse content(Upload file, @Nullable ByteRange range) {
    long offset = range == null ? 0 : range.offset();
    long length = range == null ? file.size() : range.length();
    HttpContent part;
    try {
      part = contents.read(file.hash(), offset, length);
    } catch (StoreException e) {
      throw unavailable(e);
    }
    if (part == null) {
      LOG.atWarn().addKeyValue("hash", file.hash()).log("upload_without_content");
      throw absent();
    }
    HttpResponse response =
        new HttpResponse(range == null ? 200 : 206, List.of(), part)
            .with("Content-Type", MediaTypes.served(file.type()));
    return range == null ? response : response.with("Content-Range", range.header(file.size()));
  }

  private HttpResponse cached(HttpResponse response, Upload file, String tag) {
    Instant expires = file.expires();
    Duration age = MAX_AGE;
    if (expires != null) {
      Duration left = Duration.between(context.clock().instant(), expires);
      age = left.compareTo(age) < 0 ? left : age;
    }
    return response
        .with("ETag", tag)
        .with("Cache-Control", "public, max-age=" + age.toSeconds() + ", immutable");
  }

  /// RFC 9110, section 13.1.2; weak and strong tags are equal here.
  private static boolean matches(@Nullable String field, String tag) {
    if (field == null) {
      return false;
    }
    for (String each : field.split(",", -1)) {
      String one = each.strip();
      if (one.equals("*") || one.equals(tag) || one.equals("W/" + tag)) {
        return true;
      }
    }
    return false;
  }

  /// RFC 6266.
  private static String disposition(Upload file) {
    String shown = MediaTypes.isShown(file.type()) ? "inline" : "attachment";
    return shown + "; filename*=UTF-8''" + SlotUrls.escape(file.name());
  }
}
