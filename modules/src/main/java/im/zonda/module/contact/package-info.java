/// Contact addresses of the server (XEP-0157), and what it publishes about itself (XEP-0485).
@NullMarked
package im.zonda.module.contact;

import org.jspecify.annotations.NullMarked;
