package im.zonda.module.upload;

import im.zonda.config.ServerConfig;
import im.zonda.config.Uploads;
import im.zonda.file.FileContents;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpRoute;
import im.zonda.http.Signer;
import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.metric.Meter;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.disco.RequestService;
import im.zonda.store.UploadStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets the accounts of the host upload files by HTTP, which anyone downloads who knows their
/// addresses.
@Xep(
    number = 363,
    version = "1.2.0",
    title = "HTTP File Upload",
    note =
        "For accounts of the host only. Files for messages, also with a time at which they expire;"
            + " not those of profiles and permanent ones. In a cluster the nodes share a folder")
public final class UploadModule implements XmppModule {
  /// The meters of the module.
  public static final List<Meter> METERS = List.of(UploadMeters.FILES, UploadMeters.BYTES);

  private volatile @Nullable ModuleContext installed;

  @Override
  public String name() {
    return "upload";
  }

  @Override
  public Ports ports() {
    return Ports.of(UploadStore.class, FileContents.class, Signer.class, Journal.class);
  }

  @Override
  public void install(ModuleContext context) {
    if (!context.config().offersUploads(context.domain().domain())) {
      return;
    }
    installed = context;
    Uploads settings = context.config().services().uploads();
    UploadStore uploads = context.port(UploadStore.class);
    FileContents contents = context.port(FileContents.class);
    SlotUrls urls = new SlotUrls(context.port(Signer.class));
    Quota quota = new Quota(context, uploads);
    Jid domain = Jid.of(null, settings.prefix() + "." + context.domain().domain(), null);
    UploadService service = new UploadService(context, quota, urls);
    context.serve(new RequestService(domain, UploadService.identity(settings), context, service));
    UploadMeters meters = new UploadMeters();
    meters.readings().forEach(context::measure);
    FileUpload upload = new FileUpload(context, urls, quota, uploads, contents, meters);
    FileDownload download = new FileDownload(context, uploads, contents);
    context.onHttp(HttpRoute.below(SlotUrls.FOLDER, HttpMethod.PUT, upload::put).crossOrigin());
    context.onHttp(HttpRoute.below(SlotUrls.FOLDER, HttpMethod.GET, download::get).crossOrigin());
    FileRetention retention = new FileRetention(context, uploads, contents);
    context.everyAtOneNode(FileRetention.FIRST, FileRetention.PERIOD, retention::run);
  }

  /// The address from which a file is downloaded; null if files are not served.
  public @Nullable String url(UploadStore.Upload file) {
    ModuleContext context = installed;
    return context == null ? null : SlotUrls.url(context, SlotUrls.path(file.slot(), file.name()));
  }

  @Override
  public void stop() {
    installed = null;
  }

  /// The domain and the form of the service are declared once.
  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    Uploads old = before.services().uploads();
    Uploads now = after.services().uploads();
    return old.enabled() == now.enabled()
        && old.prefix().equals(now.prefix())
        && old.maxFileBytes() == now.maxFileBytes();
  }
}
