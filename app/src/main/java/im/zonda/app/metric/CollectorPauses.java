package im.zonda.app.metric;

import com.sun.management.GarbageCollectionNotificationInfo;
import im.zonda.metric.Timing;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Measures the pauses of the garbage collectors of this process, to the millisecond, until it is
/// closed. Cycles that run beside the program are no pauses.
final class CollectorPauses implements NotificationListener, AutoCloseable {
  private static final String CYCLES = "Cycles";

  private final Timing times = new Timing();
  private final List<NotificationEmitter> emitters = new ArrayList<>();

  CollectorPauses() {
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter
          && !collector.getName().endsWith(CYCLES)) {
        emitter.addNotificationListener(this, null, null);
        emitters.add(emitter);
      }
    }
  }

  Timing times() {
    return times;
  }

  @Override
  public void handleNotification(Notification notification, @Nullable Object handback) {
    if (notification.getUserData() instanceof CompositeData data
        && notification
            .getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      long millis = GarbageCollectionNotificationInfo.from(data).getGcInfo().getDuration();
      times.record(TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }

  @Override
  public void close() {
    for (NotificationEmitter emitter : emitters) {
      try {
        emitter.removeNotificationListener(this);
      } catch (ListenerNotFoundException e) {
        LoggerFactory.getLogger(CollectorPauses.class).atDebug().setCause(e).log("pauses_closed");
      }
    }
  }
}
