import { isIP } from "node:net";
import { getPublicSuffix } from "tldts";
import { parseUrl } from "#lib/parse-url.ts";
import { readOrigin, readWords } from "./read-settings.ts";

export interface Upstreams {
  /** Exact origins, for every use. */
  origins: readonly string[];
  /** `https://*.example.com`, for uploads and media only: storage names its hosts as it likes. */
  storagePatterns: readonly string[];
}

const NAME = "SAFELIGHT_UPSTREAMS";
const PATTERN = "https://*.";

/** Reads `SAFELIGHT_UPSTREAMS`. Unset differs from empty, which means nowhere. Throws an Error with a sentence. */
export function readUpstreams(text: string | undefined): Upstreams | undefined {
  if (text === undefined) return undefined;
  const entries = readWords(text);
  const isPattern = (entry: string) => entry.startsWith(PATTERN);
  const orElse = ", or https://*.example.com for file hosts";
  return {
    origins: entries.filter((entry) => !isPattern(entry)).map((entry) => readOrigin(NAME, entry, orElse)),
    storagePatterns: entries.filter(isPattern).map((entry) => readPattern(entry, orElse)),
  };
}

function readPattern(entry: string, orElse: string): string {
  const origin = readOriginOf(entry, orElse);
  const { hostname } = new URL(origin);
  if (!isOpenToAll(hostname)) return origin.replace("://", "://*.");
  throw new Error(`${NAME} contains “${entry}”. Anyone can get a name below ${hostname}, so list each host by itself.`);
}

function readOriginOf(entry: string, orElse: string): string {
  const withoutStar = entry.replace("*.", "");
  if (!parseUrl(withoutStar)) throw new Error(`${NAME} contains “${entry}”, which is not a URL.`);
  return readOrigin(NAME, withoutStar, orElse);
}

/**
 * Domains in which anybody gets a name or a place for files: storages, networks that deliver files, hosts of pages and
 * programs, tunnels, and names for addresses. The list of public suffixes lacks some of them, and parts of many.
 */
const SHARED_HOSTING = `
  000webhostapp.com 126.net 127.net 1drv.com 4everland.app 4everland.io 4everland.link 4everland.store
  acquia-sites.com afraid.org aicdn.com akamaiobjects.com akamaistream.net alibabacloud.com alicdn.com alikunlun.com
  aliyun.com aliyuncdn.com aliyuncs.com amazonaws.com amazonaws.com.cn amazonaws.eu ampproject.org api.aws
  appdomain.cloud appwrite.io aruba.it arubacloud.com arvancdn.ir arvanstorage.com arvanstorage.ir arweave.dev
  arweave.net atwebpages.com azioncdn.net azionedge.net azure.com azure.net azurecontainerapps.io b-cdn.net
  back4app.io backblazeb2.com backendless.app backendless.com baseten.co bcebos.com bcvp0rtal.com beam.cloud
  beeceptor.com beget.cloud belugacdn.com belugacdn.link bfcplatform.vn binero.cloud bitiful.net bizflycloud.vn
  bizmrg.com bluemix.net bore.pub box.com boxcloud.com brightcove.net bunnycdn.com byethost.com bytecdn.cn byteimg.com
  bytepluscdn.com bytepluses.com c2s.ic.gov cachefly.net catalystcloud.nz catbox.moe cdn77.org cdnetworks.com
  cdnga.net cdngc.net cdngslb.com cdnhwc1.com cdntip.com chinacloudapi.cn chinamobile.com citycloud.com civitai.com
  civo.com civo.io cleura.cloud cleura.com clever-cloud.com cloud-control.top cloud.nifty.com cloud.ru
  cloud.yandex.net clouddn.com cloudferro.com cloudflareaccess.com cloudflarestorage.com cloudflarestream.com
  cloudimg.io cloudinary.com cloudns.net cloudscale.ch cloudwaysapps.com cmccloud.vn cmecloud.cn codesandbox.io
  colab.dev conoha.io contabo.net contabostorage.com core.cloudapi.de coreweave.com creodias.eu crusoecloud.com
  ctfassets.net ctyun.cn ctyunapi.cn ctyuncdn.cn cubbit.eu cubbit.io cwobject.com cyclic.app dacast.com
  datocms-assets.com deta.app deta.dev deta.space devtunnels.ms digitaloceanspaces.com discord.com discordapp.com
  discordapp.net dream.io dreamhost.com dropbox.com dropboxusercontent.com e2enetworks.net edg.io edgecastcdn.net
  edgio.net elastx.cloud elastx.net epizy.com esm.sh exo.io exoscale-cdn.com fabric.microsoft.com fastly.net
  fastlystorage.app fcapp.run filebase.com filebase.io filestackcontent.com firebaseio.com firebasestorage.app
  fleek.co fleek.cool fly.io flywheelsites.com fptcloud.com framerusercontent.com gcdn.co gcore.com gcore.lu
  gcorecloud.com gcorelabs.com ggpht.com githack.com github.dev githubusercontent.com gitpod.dev gitpod.io glesys.net
  glitch.global glitch.me gofile.io googleapis.com googleusercontent.com gov-ncloudstorage.com gradio.app gradio.live
  gridscale.cloud gridscale.io herokussl.com hetzner.cloud hidora.com hostingersite.com huaweicloud.com huggingface.co
  huggingface.tech hwcloudlive.com hwclouds.com ibytedtos.com icloud-content.com idcfcloud.com idcfcloud.net
  idrivecloud.io idrivee2-3.com idrivee2.com imagedelivery.net imagekit.io imgix.net impossibleapi.net
  infinityfreeapp.com infomaniak.cloud infomaniak.com infura-ipfs.io interact.sh intercolo.net ionoscloud.com ipfs.io
  ivolces.com jcloudcs.com jdcloud-oss.com jdcloud.com jelastic.cloud jelastic.com jotelulu.com jsdelivr.net
  jwpcdn.com jwplayer.com kaggle.io kaggleusercontent.com kakaocdn.net kakaocloud.com kamatera.com kamateraobjects.com
  katapult.io kingsoftcloud.com kinsta.app kinsta.cloud koyeb.app ksyun.com ksyuncs.com kunlunaq.com kunlunca.com
  kxcdn.com lambdalabs.com layershift.co.uk leasewebcdn.com leviia.com lhr.life lhrtunnel.link liara.space
  lighthouse.storage lightning.ai linodeobjects.com linodeusercontent.com livefilestore.com livepeer.monster
  livepeer.studio llnwd.net llnwi.net loca.lt localhost.run localtest.me localtunnel.me localxpose.io loclx.io
  lswcdn.net lvh.me lxdns.com lyve.seagate.com lyvecloud.seagate.com magalu.cloud magaluobjects.com mail.ru
  massivegrid.com mcs.mail.ru mediadelivery.net mega.io mockapi.io modal.host modal.run mux.com mybluehost.me
  myfilebase.com myhuaweicloud.com myhuaweicloud.eu mypinata.cloud myqcloud.com ncloudstorage.com nebius.cloud
  neocities.org netdna-cdn.com netdna-ssl.com netlify.com netlifyglobalcdn.com nftstorage.link ngrok.com
  nhncloudservice.com nhost.run nifcloud.com nip.io no-ip.com noris.cloud nos.netease.com ntruss.com oastify.com
  on.aws onedrive.com onstackit.cloud open-telekom-cloud.com oraclecloud.com oraclecloud.eu oraclegovcloud.com
  oracleusercontent.com outscale.com outscale.fr ovh.ca ovh.net ovh.us packetriot.net pagekite.me
  paperspacegradient.com parseapp.com pcloud.com pcloud.link petabox.io pinata.cloud pinggy-free.link pinggy.io
  pinggy.link pinggy.online pipedream.net pktriot.net platform.sh playit.gg ply.gg portmap.host portmap.io postimg.cc
  prismic.io profitbricks.com qbox.me qcloud.com qcloudcdn.com qingstor.com qiniucdn.com qiniucs.com qiniudn.com
  qnssl.com quickconnect.to rabata.io rackcdn.com rackcorp.com railway.app reg.ru regru.cloud regruhosting.ru
  render.com replicate.delivery requestbin.net rf.gd runpod.ai runpod.io runpod.net s5lu.com safedc.net safespring.com
  sakurastorage.jp sanity.io sbercloud.ru scalingo.com scalingo.io scw.cloud seeweb.it selcdn.com selcdn.ru
  selcloud.ru selstorage.ru serveo.net serveousercontent.com serverspace.io sevalla.app sevalla.page sharepoint.com
  shopify.com shopifycdn.com siasky.net sirv.com slack-files.com softlayer.net squarespace-cdn.com squarespace.com
  srvstorage.kz srvstorage.uz sslip.io stackblitz.io stackit.cloud stackpathcdn.com stackpathdns.com
  stackpathstorage.com statically.io storage.dev storageapi.dev storj.io storjshare.io supabase.com synologyc2.com
  synologyc2.net systemcdn.net t-systems.com tailscale.net tbcache.com tcloudbaseapp.com tebi.io telekomcloud.com
  tencentcos.cn tencentcos.com tencentcs.com tigris.dev tigrisfiles.io timeweb.cloud toastcdn.net toastoven.net
  traefik.me transloadit.com ts.net tumblr.com tunnelto.dev twc1.net twcstorage.ru twic.pics ucarecd.net ucarecdn.com
  ucloud.cn ufileos.com ufs.sh unpkg.com upaiyun.com upcdn.net upcloudobjects.com uploadcare.com uploadthing.com
  usgovcloudapi.net utfs.io vercel-storage.com videodelivery.net viettelidc.com.vn vimeo.com vimeocdn.com
  vkcloud-storage.ru vkcs.cloud vngcloud.vn volcengineapi.com volces.com vultr.com vultrobjects.com
  vultrusercontent.com w3s.link wasabisys.com web3.storage webcontainer.io webflow.com webhook.site website-files.com
  weebly.com wiit.cloud windows.net wistia.com wistia.net wixstatic.com wordpress.com wpengine.com wscdns.com
  wsdvs.com wswebcdn.com xip.io your-objectstorage.com your-storageshare.de zadarastorage.com zadarazios.com zata.ai
  zenlayer.com zeroservices.eu zrok.io
`
  .trim()
  .split(/\s+/);

/** First labels below which storages and shared hosting have their customers: `s3.eu-west-1.example.com`. */
const SHARED_LABELS = `
  any s3 s3-website blob web blob.core web.core storage object objects obj oss cos bucket buckets cdn static files r2 app apps
  pages sites user users customer customers my cloud paas functions run dev preview tunnel id eu us ap de fr nl uk sg jp in au
  eu-1 us-1 eu-west-1 eu-central-1 us-east-1 us-west-1 ap-southeast-1 fra1 nyc3 ams3 global
`
  .trim()
  .split(/\s+/);

/**
 * Whether a wildcard below this name would take in hosts of strangers: it is a public suffix (`com`, `co.uk`), a private
 * one (`github.io`, a storage's), or such a one stands below it. Of an address nothing stands below.
 */
function isOpenToAll(name: string): boolean {
  const host = name.replace(/\.$/, "");
  const isSuffix = (hostname: string) => getPublicSuffix(hostname, { allowPrivateDomains: true }) === hostname;
  if (isIP(host.replace(/^\[|\]$/g, "")) !== 0 || isSuffix(host)) return true;
  if (SHARED_HOSTING.some((shared) => `.${host}`.endsWith(`.${shared}`))) return true;
  return SHARED_LABELS.some((label) => isSuffix(`${label}.${host}`));
}
