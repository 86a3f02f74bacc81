/// TLS of connections: certificates, their choice by name, channel binding data.
@NullMarked
package im.zonda.net.tls;

import org.jspecify.annotations.NullMarked;
